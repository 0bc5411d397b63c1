-- A later version may give an entry of the menu more permissions: what was seeded is remembered to
-- the permission, as "uri permission" beside "uri".

update installation set key = 'menu.seeded' where key = 'menu.seededUris';
