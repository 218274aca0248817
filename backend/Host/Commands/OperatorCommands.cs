using System.CommandLine;

namespace NzbDav.Host.Commands;

/// <summary>The verbs of whoever operates a server: backup, restore, support, healthcheck.</summary>
internal static class OperatorCommands
{
    public static IEnumerable<Command> Create(Option<DirectoryInfo?> config)
    {
        var backup = new Command("backup", "Make a backup of the catalog and the keys, also while a server runs.");
        backup.SetAction((parsed, token) => BackupCommand.RunAsync(parsed.GetValue(config), token));
        yield return backup;

        var file = new Argument<FileInfo>("FILE") { Description = "A backup: nzbdav-….zip." };
        var restore = new Command("restore", "Put a backup back while no server runs; what is there is kept beside.") { file };
        restore.SetAction((parsed, token) => RestoreCommand.RunAsync(parsed.GetValue(config), parsed.GetValue(file)!, token));
        yield return restore;

        var output = new Option<FileInfo?>("--output") { Description = "Where to write it. Default: nzbdav-support-TIME.zip." };
        var names = new Option<bool>("--names") { Description = "Leave names of files and jobs in it." };
        var support = new Command("support", "Write a support bundle: versions, settings without secrets, queue, log.") { output, names };
        support.SetAction((parsed, token) => SupportCommand.RunAsync(parsed.GetValue(config), parsed.GetValue(output), parsed.GetValue(names), token));
        yield return support;

        var document = new Argument<FileInfo>("FILE") { Description = "Where to write it: docs/openapi.json." };
        var openapi = new Command("openapi", "Write the document of the API, docs/openapi.json.") { document };
        openapi.Hidden = true;
        openapi.SetAction((parsed, token) => OpenApiCommand.RunAsync(parsed.GetValue(document)!, token));
        yield return openapi;

        var url = new Option<string>("--url") { Description = "The server. Default: http://127.0.0.1:8080.", DefaultValueFactory = static _ => "http://127.0.0.1:8080" };
        var ready = new Option<bool>("--ready") { Description = "Ask whether it can do its work, not only whether it serves." };
        var health = new Command("healthcheck", "Ask a server for its health: exit code 0 or 1.") { url, ready };
        health.SetAction((parsed, token) => HealthCheckCommand.RunAsync(parsed.GetValue(url)!, parsed.GetValue(ready), token));
        yield return health;
    }
}
