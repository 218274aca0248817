using System.CommandLine;
using NzbDav.Host.Settings;

namespace NzbDav.Host.Commands;

/// <summary>Hidden commands for developers: they generate files in docs/.</summary>
internal static class DocumentCommands
{
    public static IEnumerable<Command> Create()
    {
        var file = new Argument<string>("FILE") { Description = "The document.", DefaultValueFactory = static _ => Path.Combine("docs", "configuration.md") };
        var settings = new Command("settings-doc", "Write the tables of settings into docs/configuration.md.") { file };
        settings.Hidden = true;
        settings.SetAction((parsed, token) => WriteSettingsAsync(parsed.GetValue(file)!, token));
        yield return settings;
    }

    private static async Task<int> WriteSettingsAsync(string file, CancellationToken cancellationToken)
    {
        try
        {
            await File.WriteAllTextAsync(file, SettingsDocument.Update(await File.ReadAllTextAsync(file, cancellationToken)), cancellationToken);
            return 0;
        }
        catch (Exception e) when (e is IOException or InvalidDataException or UnauthorizedAccessException)
        {
            await Console.Error.WriteLineAsync($"nzbdav: {e.Message}");
            return 1;
        }
    }
}
