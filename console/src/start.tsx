// The console once its words are there: providers and router.
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { DataProvider } from './data/data-provider.tsx';
import { router } from './router.tsx';
import { theme } from './theme/theme.ts';

const schemes = localStorageColorSchemeManager({ key: 'assay-color-scheme' });

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <MantineProvider theme={theme} colorSchemeManager={schemes} defaultColorScheme="auto">
      <Notifications position="bottom-right" autoClose={6000} containerWidth={420} />
      <DataProvider>
        <RouterProvider router={router} />
      </DataProvider>
    </MantineProvider>
  </StrictMode>,
);
