using System.CommandLine;
using NzbDav.Library.Export;

namespace NzbDav.Host.Commands;

/// <summary>The commands for operating a server: backup, restore, export, catalog, support, healthcheck.</summary>
internal static class OperatorCommands
{
    public static IEnumerable<Command> Create(Option<DirectoryInfo?> config)
    {
        var backup = new Command("backup", "Make a backup of the catalog and the keys, also while a server runs.");
        var complete = new Option<FileInfo?>("--complete")
        { Description = "Also write it with everything that belongs to it into one file: FILE.tar.zst." };
        backup.Options.Add(complete);
        backup.SetAction((parsed, token) => BackupCommand.RunAsync(parsed.GetValue(config), parsed.GetValue(complete), token));
        yield return backup;

        var file = new Argument<FileInfo>("FILE") { Description = "A backup: nzbdav-….zip, or the .tar.zst of backup --complete." };
        var restore = new Command("restore", "Restore a backup while no server runs; the present state is kept in a folder beside it.")
            { file };
        restore.SetAction((parsed, token) => RestoreCommand.RunAsync(parsed.GetValue(config), parsed.GetValue(file)!, token));
        yield return restore;

        yield return Export(config);

        var to = new Option<string>("--to")
        { Description = "Where to: the connection string of an empty PostgreSQL database, or the word sqlite.", Required = true };
        var move = new Command("move", "Copy the catalog into another database while no server runs. The old one stays as it is.") { to };
        move.SetAction((parsed, token) => MoveCatalogCommand.RunAsync(parsed.GetValue(config), parsed.GetValue(to)!, token));
        yield return new Command("catalog", "The database of the catalog.") { move };

        var output = new Option<FileInfo?>("--output") { Description = "Where to write it. Default: nzbdav-support-TIME.zip." };
        var names = new Option<bool>("--names") { Description = "Include names of files and jobs." };
        var support = new Command("support", "Write a support bundle: versions, settings without secrets, queue, log.") { output, names };
        support.SetAction(
            (parsed, token) => SupportCommand.RunAsync(parsed.GetValue(config), parsed.GetValue(output), parsed.GetValue(names), token));
        yield return support;

        var document = new Argument<FileInfo>("FILE") { Description = "Where to write it: docs/openapi.json." };
        var openapi = new Command("openapi", "Write the document of the API, docs/openapi.json.") { document };
        openapi.Hidden = true;
        openapi.SetAction((parsed, token) => OpenApiCommand.RunAsync(parsed.GetValue(document)!, token));
        yield return openapi;

        var url = new Option<string>("--url")
        { Description = "The server. Default: http://127.0.0.1:8080.", DefaultValueFactory = static _ => "http://127.0.0.1:8080" };
        var ready = new Option<bool>("--ready") { Description = "Check whether it can do its work, not only whether it answers." };
        var health = new Command("healthcheck", "Check a server's health: exit code 0 or 1.") { url, ready };
        health.SetAction((parsed, token) => HealthCheckCommand.RunAsync(parsed.GetValue(url)!, parsed.GetValue(ready), token));
        yield return health;
    }

    private static Command Export(Option<DirectoryInfo?> config)
    {
        var folder = new Argument<DirectoryInfo>("DIR") { Description = "The folder for the library. It is created if it is missing." };
        var addresses = new Option<bool>("--strm") { Description = "Videos and music as .strm files with an address." };
        var links = new Option<bool>("--symlink") { Description = "Every file as a symbolic link into a mount." };
        var details = new Option<bool>("--nfo") { Description = "An .nfo file beside each video; alone or with one of the others." };
        var url = new Option<string?>("--base-url")
        {
            Description =
            "The beginning of the addresses: where players reach the server, such as http://nas:8080. Default: the setting Strm:Url."
        };
        var mount = new Option<string?>("--mount")
        { Description = "Where the tree is mounted for programs that follow the links. Default: the setting WebDav:MountPath." };
        var category = new Option<string?>("--category")
        { Description = "Only this category, its titles directly in DIR. Default: all, each in a folder of its own." };
        var export = new Command("export", "Write the library as .strm files or symbolic links, or update an earlier export.")
            { folder, addresses, links, details, url, mount, category };
        export.SetAction((parsed, token) => ExportCommand.RunAsync(
            parsed.GetValue(config),
            new ExportOptions
            {
                Folder = parsed.GetValue(folder)!.FullName,
                Addresses = parsed.GetValue(addresses),
                Links = parsed.GetValue(links),
                Details = parsed.GetValue(details),
                AddressRoot = parsed.GetValue(url) ?? "",
                MountPath = parsed.GetValue(mount) ?? "",
                Category = parsed.GetValue(category),
            },
            token));
        return export;
    }
}
