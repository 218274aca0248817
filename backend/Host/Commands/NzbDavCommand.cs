using System.CommandLine;
using NzbDav.FullNzbTester.Command;
using NzbDav.FullNzbTester.Faults;
using NzbDav.FullNzbTester.Mounts;
using NzbDav.FullNzbTester.Options;
using NzbDav.FullNzbTester.Plays;
using NzbDav.FullNzbTester.Replay;
using NzbDav.FullNzbTester.Soak;
using NzbDav.Host.Settings;
using NzbDav.Migration;

namespace NzbDav.Host.Commands;

/// <summary>The command line.</summary>
internal static class NzbDavCommand
{
    /// <summary>
    /// The root command for a command line. The testers have many options of their own, so these are added only when a tester is called.
    /// </summary>
    public static RootCommand For(string[] args)
    {
        if (TorrentTester.Commands.TesterCommand.IsAsked(args))
            return TorrentTester.Commands.TesterCommand.Create();
        if (ReplayCommand.IsAsked(args))
            return ReplayCommand.Create();
        if (FaultsCommand.IsAsked(args))
            return FaultsCommand.Create();
        if (SoakCommand.IsAsked(args))
            return SoakCommand.Create();
        if (PlaysCommand.IsAsked(args))
            return PlaysCommand.Create();
        if (MountsCommand.IsAsked(args))
            return MountsCommand.Create();
        return TesterCommand.IsAsked(args)
            ? TesterCommand.Create(static () => Launch.ReadSettings() is { } settings
                ? new TesterSettings(settings.Providers, settings.MemoryBudgetMiB) : null)
            : Create();
    }

    public static RootCommand Create()
    {
        var config = new Option<DirectoryInfo?>("--config")
        { Description = "Folder for all state. Default: ./config (for the demo: a temporary one).", Recursive = true };
        var urls = new Option<string?>("--urls")
        { Description = "Where to listen, such as http://*:8080 (the default; the demo: http://localhost:8080)." };
        var demo = new Option<bool>("--demo")
        { Description = "Try it without a Usenet account, with a built-in provider and a small video." };
        var open = new Option<bool>("--open")
        {
            Description =
            "With --demo: listen on other addresses than loopback too. Anyone who can reach it can do everything: it asks for no " +
            "password."
        };
        var tester = new Option<bool>(TesterCommand.Name)
        { Description = $"Test and measure the whole life of an NZB; see {TesterCommand.Name} --help." };
        var torrents = new Option<bool>(TorrentTester.Commands.TesterCommand.Name)
        { Description = $"Test and measure the torrent engine; see {TorrentTester.Commands.TesterCommand.Name} --help." };
        var replay = new Option<bool>(ReplayCommand.Name)
        { Description = $"Play a recording of streams again; see {ReplayCommand.Name} --help." };
        var faults = new Option<bool>(FaultsCommand.Name)
        { Description = $"Test and measure reading while providers misbehave; see {FaultsCommand.Name} --help." };
        var soak = new Option<bool>(SoakCommand.Name)
        { Description = $"Test and measure many players for a long time while faults come and go; see {SoakCommand.Name} --help." };
        var mounts = new Option<bool>(MountsCommand.Name)
        { Description = $"Measure the server's mount beside rclone's; see {MountsCommand.Name} --help." };
        var root = new RootCommand("NzbDav: shows NZB files and torrents as files that open and seek at once, over WebDAV.")
            { config, urls, demo, open, tester, faults, soak, mounts, replay, torrents };
        root.SetAction((parsed, token) =>
            ServeCommand.RunAsync(
                parsed.GetValue(config), parsed.GetValue(urls), parsed.GetValue(demo), parsed.GetValue(open), mount: null, token));

        var files = new Argument<string[]>("FILE")
        { Description = "An .nzb or .torrent file, or a magnet link.", Arity = ArgumentArity.OneOrMore };
        var category = new Option<string?>("--category") { Description = "Where it goes: /content/<category>/. Default: other." };
        var import = new Command(
            "import",
            "Import .nzb and .torrent files: through the server if one runs on this configuration, otherwise in this process.") { files,
            category };
        import.SetAction(
            (parsed, token) => ImportCommand.RunAsync(parsed.GetValue(config), parsed.GetValue(files)!, parsed.GetValue(category), token));
        root.Subcommands.Add(import);
        var folder = new Argument<DirectoryInfo>("DIR") { Description = "An existing, empty folder." };
        var mount = new Command("mount", "Run the server, and show its tree in a folder as a file system (Linux).") { folder, urls, demo };
        mount.SetAction((parsed, token) => ServeCommand.RunAsync(
            parsed.GetValue(config), parsed.GetValue(urls), parsed.GetValue(demo), open: false, parsed.GetValue(folder), token));
        root.Subcommands.Add(mount);
        root.Subcommands.Add(MountHelperCommand.Create());
        foreach (var command in MovingCommands.Create(config).Concat(OperatorCommands.Create(config)).Concat(DocumentCommands.Create()))
            root.Subcommands.Add(command);
        return root;
    }
}

/// <summary>The commands for migrating from another program: migrate, links.</summary>
internal static class MovingCommands
{
    public static IEnumerable<Command> Create(Option<DirectoryInfo?> config)
    {
        var from = new Option<OldProduct>("--from")
        { Description = "The other program: nzbdav, infinidysk, altmount or sabnzbd.", Required = true };
        var path = new Argument<string>("PATH") { Description = "Its configuration folder, /config in its container." };
        var dry = new Option<bool>("--dry-run") { Description = "Change nothing; show what would be migrated." };
        var later = new Option<bool>("--queue-only")
        { Description = "Do not import now, even if no server runs: leave that to the next start of the server." };
        var json = new Option<FileInfo?>("--json") { Description = "Write the report for machines to this file." };
        var migrate = new Command(
            "migrate",
            "Migrate the library of nzbdav, InfiniDysk, altmount or SABnzbd. Nothing there is changed; a second run migrates what is " +
            "new.") { from, path, dry, later, json };
        migrate.SetAction((parsed, token) => MigrateCommand.RunAsync(
            parsed.GetValue(config), new MigrateOptions(parsed.GetValue(from), parsed.GetValue(path)!, parsed.GetValue(dry),
                parsed.GetValue(later), parsed.GetValue(json)), token));
        yield return migrate;

        var folder = new Argument<DirectoryInfo>("DIR") { Description = "A library: a folder with symbolic links and .strm files." };
        var mounts = new Option<string[]>("--mount")
        {
            Description =
            "Where the other program's tree was mounted, if links point to names there and migrate did not find it; may be given several " +
            "times.",
            DefaultValueFactory = static _ => []
        };
        var rewrite = new Command(
            "rewrite",
            "Point links below a folder that lead to another program's files to the files here. Links to anything else stay as they " +
            "are.") { folder, mounts, dry };
        rewrite.SetAction((parsed, token) => LinksCommand.RunAsync(
            parsed.GetValue(config), parsed.GetValue(folder)!, parsed.GetValue(mounts) ?? [], parsed.GetValue(dry), token));
        yield return new Command("links", "The links in libraries.") { rewrite };
    }
}

/// <summary>Hidden commands for developers: they generate files in docs/.</summary>
internal static class DocumentCommands
{
    public static IEnumerable<Command> Create()
    {
        var file = new Argument<string>("FILE")
        { Description = "The document.", DefaultValueFactory = static _ => Path.Combine("docs", "configuration.md") };
        var settings = new Command("settings-doc", "Write the tables of settings into docs/configuration.md.") { file };
        settings.Hidden = true;
        settings.SetAction((parsed, token) => WriteSettingsAsync(parsed.GetValue(file)!, token));
        yield return settings;
    }

    private static async Task<int> WriteSettingsAsync(string file, CancellationToken cancellationToken)
    {
        try
        {
            await File.WriteAllTextAsync(
                file, SettingsDocument.Update(await File.ReadAllTextAsync(file, cancellationToken)), cancellationToken);
            return 0;
        }
        catch (Exception e) when (e is IOException or InvalidDataException or UnauthorizedAccessException)
        {
            await Console.Error.WriteLineAsync($"nzbdav: {e.Message}");
            return 1;
        }
    }
}
