using System.Globalization;
using System.Text;
using NzbDav.Host.Settings.Texts;

namespace NzbDav.Host.Settings;

/// <summary>
/// Writes the tables of settings into docs/configuration.md, between <c>&lt;!-- settings: GROUP --&gt;</c> and <c>&lt;!-- /settings
/// --&gt;</c>. The text around them stays unchanged.
/// </summary>
internal static class SettingsDocument
{
    /// <summary>The command that updates the file.</summary>
    public const string Command = "dotnet run --project backend -- settings-doc";

    private const string End = "<!-- /settings -->";

    /// <summary>The text with current tables.</summary>
    /// <exception cref="InvalidDataException">The markers of a group are missing or incomplete.</exception>
    public static string Update(string text)
    {
        var entries = Entries();
        foreach (var (id, _) in SettingTexts.Groups)
        {
            var mark = $"<!-- settings: {id} -->\n";
            var begin = text.IndexOf(mark, StringComparison.Ordinal);
            var end = begin < 0 ? -1 : text.IndexOf(End, begin, StringComparison.Ordinal);
            if (end < 0)
                throw new InvalidDataException(
                    $"There is no place for the group {id}: write {mark.TrimEnd()} and {End} on lines of their own.");
            text = string.Concat(text.AsSpan(0, begin + mark.Length),
                Table(SettingTexts.All.Where(one => one.Group == id).Select(one => entries[one.Path])), text.AsSpan(end));
        }

        return text;
    }

    /// <summary>One entry for each possible setting, by path, with <c>#</c> for numbers.</summary>
    internal static IReadOnlyDictionary<string, SettingEntry> Entries() =>
        new[] { SettingsReader.Read(new ConfigurationBuilder().Build()).Entries, SettingsReader.ProviderTemplate(),
            SettingsReader.ArrTemplate(), SettingsReader.IndexerTemplate(), SettingsReader.PasswordTemplate() }
            .SelectMany(entries => entries).ToDictionary(entry => entry.Path, StringComparer.OrdinalIgnoreCase);

    private static string Table(IEnumerable<SettingEntry> entries)
    {
        var table = new StringBuilder("| Setting | Type, range | Default | Effect |\n|---|---|---|---|\n");
        foreach (var entry in entries)
        {
            var later = entry.NeedsRestart ? " Takes effect at the next start." : "";
            table.Append(
                CultureInfo.InvariantCulture,
                $"| `{entry.Environment.Replace('#', 'N')}` | {Range(entry)} | " +
                $"{entry.Text.DefaultNote ?? Escape(entry.Default ?? "none")} | {Escape(entry.Text.Description)}{later} |\n");
        }

        return table.ToString();
    }

    private static string Range(SettingEntry entry) => entry switch
    {
        { Text.Form: { } form } => form,
        { Text.Choices: { } choices } => string.Join(", ", choices.Select(choice => choice.Value)),
        { Kind: SettingKind.Flag } => "true, false",
        { Kind: SettingKind.Number } =>
            string.Create(CultureInfo.InvariantCulture, $"{entry.Least} … {entry.Most}{(entry.Text.Unit is { } unit ? " " + unit : "")}"),
        { Kind: SettingKind.List } => "texts, separated by commas",
        _ => "text",
    };

    private static string Escape(string text) => text.Replace("*", "\\*", StringComparison.Ordinal)
        .Replace("|", "\\|", StringComparison.Ordinal).Replace("<", "\\<", StringComparison.Ordinal);
}
