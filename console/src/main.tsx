// The console's entry point: styles, providers, router.
import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import './theme/global.css';
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { DataProvider } from './data/data-provider.tsx';
import { language } from './data/language.ts';
import { router } from './router.tsx';
import { theme } from './theme/theme.ts';

document.documentElement.lang = language;

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
