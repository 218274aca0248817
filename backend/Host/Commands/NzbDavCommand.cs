using System.CommandLine;
using NzbDav.FullNzbTester.Command;
using NzbDav.FullNzbTester.Faults;
using NzbDav.FullNzbTester.Options;
using NzbDav.FullNzbTester.Replay;
using NzbDav.FullNzbTester.Soak;

namespace NzbDav.Host.Commands;

/// <summary>The command line.</summary>
internal static class NzbDavCommand
{
    /// <summary>The root command for a command line. The testers have many options of their own, so these are added only when a tester is called.</summary>
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
        return TesterCommand.IsAsked(args)
            ? TesterCommand.Create(static () => Launch.ReadSettings() is { } settings ? new TesterSettings(settings.Providers, settings.MemoryBudgetMiB) : null)
            : Create();
    }

    public static RootCommand Create()
    {
        var config = new Option<DirectoryInfo?>("--config") { Description = "Folder for all state. Default: ./config (for the demo: a temporary one).", Recursive = true };
        var urls = new Option<string?>("--urls") { Description = "Where to listen, such as http://*:8080 (the default; the demo: http://localhost:8080)." };
        var demo = new Option<bool>("--demo") { Description = "Try it without a Usenet account, with a built-in provider and a small video." };
        var open = new Option<bool>("--open") { Description = "With --demo: listen on other addresses than loopback too. Anyone who can reach it can do everything: it asks for no password." };
        var tester = new Option<bool>(TesterCommand.Name) { Description = $"Test and measure the whole life of an NZB; see {TesterCommand.Name} --help." };
        var torrents = new Option<bool>(TorrentTester.Commands.TesterCommand.Name) { Description = $"Test and measure the torrent engine; see {TorrentTester.Commands.TesterCommand.Name} --help." };
        var replay = new Option<bool>(ReplayCommand.Name) { Description = $"Play a recording of streams again; see {ReplayCommand.Name} --help." };
        var faults = new Option<bool>(FaultsCommand.Name) { Description = $"Test and measure reading while providers misbehave; see {FaultsCommand.Name} --help." };
        var soak = new Option<bool>(SoakCommand.Name) { Description = $"Test and measure many players for a long time while faults come and go; see {SoakCommand.Name} --help." };
        var root = new RootCommand("NzbDav: shows NZB files and torrents as files that open and seek at once, over WebDAV.") { config, urls, demo, open, tester, faults, soak, replay, torrents };
        root.SetAction((parsed, token) => ServeCommand.RunAsync(parsed.GetValue(config), parsed.GetValue(urls), parsed.GetValue(demo), parsed.GetValue(open), token));

        var files = new Argument<string[]>("FILE") { Description = "An .nzb or .torrent file, or a magnet link.", Arity = ArgumentArity.OneOrMore };
        var category = new Option<string?>("--category") { Description = "Where it goes: /content/<category>/. Default: other." };
        var import = new Command("import", "Import .nzb and .torrent files: through the server if one runs on this configuration, otherwise in this process.") { files, category };
        import.SetAction((parsed, token) => ImportCommand.RunAsync(parsed.GetValue(config), parsed.GetValue(files)!, parsed.GetValue(category), token));
        root.Subcommands.Add(import);
        foreach (var command in MovingCommands.Create(config).Concat(OperatorCommands.Create(config)).Concat(DocumentCommands.Create()))
            root.Subcommands.Add(command);
        return root;
    }
}
