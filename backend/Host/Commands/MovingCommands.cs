using System.CommandLine;
using NzbDav.Migration;

namespace NzbDav.Host.Commands;

/// <summary>The commands for migrating from another program: migrate, links.</summary>
internal static class MovingCommands
{
    public static IEnumerable<Command> Create(Option<DirectoryInfo?> config)
    {
        var from = new Option<OldProduct>("--from") { Description = "The other program: nzbdav, infinidysk, altmount or sabnzbd.", Required = true };
        var path = new Argument<string>("PATH") { Description = "Its configuration folder, /config in its container." };
        var dry = new Option<bool>("--dry-run") { Description = "Change nothing; show what would be migrated." };
        var later = new Option<bool>("--queue-only") { Description = "Do not import now, even if no server runs: leave that to the next start of the server." };
        var json = new Option<FileInfo?>("--json") { Description = "Write the report for machines to this file." };
        var migrate = new Command("migrate", "Migrate the library of nzbdav, InfiniDysk, altmount or SABnzbd. Nothing there is changed; a second run migrates what is new.") { from, path, dry, later, json };
        migrate.SetAction((parsed, token) => MigrateCommand.RunAsync(
            parsed.GetValue(config), new MigrateOptions(parsed.GetValue(from), parsed.GetValue(path)!, parsed.GetValue(dry), parsed.GetValue(later), parsed.GetValue(json)), token));
        yield return migrate;

        var folder = new Argument<DirectoryInfo>("DIR") { Description = "A library: a folder with symbolic links and .strm files." };
        var mounts = new Option<string[]>("--mount") { Description = "Where the other program's tree was mounted, if links point to names there and migrate did not find it; may be given several times.", DefaultValueFactory = static _ => [] };
        var rewrite = new Command("rewrite", "Point links below a folder that lead to another program's files to the files here. Links to anything else stay as they are.") { folder, mounts, dry };
        rewrite.SetAction((parsed, token) => LinksCommand.RunAsync(parsed.GetValue(config), parsed.GetValue(folder)!, parsed.GetValue(mounts) ?? [], parsed.GetValue(dry), token));
        yield return new Command("links", "The links in libraries.") { rewrite };
    }
}
