// Mantine's theme: palette, system typefaces, and default props of components.

import { Anchor, Badge, Button, Card, createTheme, Modal, Notification, Paper, Table, Tooltip } from '@mantine/core';
import { say } from '../words/words.ts';
import { brass, brick, ink, paper, slate, verdigris } from './palette.ts';

const sans =
  "-apple-system, BlinkMacSystemFont, 'Segoe UI Variable Text', 'Segoe UI', Roboto, 'Noto Sans', 'Open Sans', system-ui, sans-serif";

export const theme = createTheme({
  colors: { verdigris, brass, brick, slate, gray: paper, dark: ink, red: brick },
  primaryColor: 'verdigris',
  primaryShade: { light: 7, dark: 6 },
  black: '#1c2320',
  autoContrast: true,
  fontFamily: sans,
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Code', Menlo, Consolas, 'Liberation Mono', monospace",
  headings: {
    fontFamily: sans,
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '1.25' },
      h2: { fontSize: '1.0625rem', lineHeight: '1.35' },
      h3: { fontSize: '0.9375rem', lineHeight: '1.4' },
    },
  },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Anchor: Anchor.extend({ defaultProps: { underline: 'hover' } }),
    Badge: Badge.extend({ defaultProps: { tt: 'none', fw: 600, radius: 'sm' } }),
    Button: Button.extend({ defaultProps: { size: 'sm' } }),
    Card: Card.extend({ defaultProps: { withBorder: true, padding: 'md', radius: 'md' } }),
    Modal: Modal.extend({
      // A click beside a form does not lose what was typed in it.
      defaultProps: {
        centered: true,
        radius: 'md',
        closeOnClickOutside: false,
        closeButtonProps: { 'aria-label': say('Close') },
      },
      styles: { title: { fontWeight: 600, lineHeight: 1.35, overflowWrap: 'anywhere' } },
    }),
    Notification: Notification.extend({ defaultProps: { closeButtonProps: { 'aria-label': say('Dismiss') } } }),
    Paper: Paper.extend({ defaultProps: { withBorder: true, radius: 'md' } }),
    Table: Table.extend({ defaultProps: { verticalSpacing: 'xs', horizontalSpacing: 'sm' } }),
    Tooltip: Tooltip.extend({
      defaultProps: { openDelay: 300, withArrow: true, events: { hover: true, focus: true, touch: true } },
    }),
  },
});
