using System.Globalization;
using NzbDav.Host.Settings.Texts;

namespace NzbDav.Host.Settings;

/// <summary>Reads and checks single values.</summary>
public sealed partial class SettingsReader
{
    /// <summary>A list separated by commas. <c>none</c> is an empty one, because an empty value counts as not set.</summary>
    private IReadOnlyList<string> Names(string path, IReadOnlyList<string> otherwise) =>
        Split(ReadRaw(path, SettingKind.List, otherwise.Count == 0 ? "none" : string.Join(',', otherwise))) ?? otherwise;

    /// <summary>A list that may be missing.</summary>
    /// <param name="path">The setting.</param>
    /// <param name="otherwise">The default, as text for people.</param>
    private string[]? Names(string path, string otherwise) => Split(ReadRaw(path, SettingKind.List, otherwise));

    private static string[]? Split(string? text) => text switch
    {
        null => null,
        "none" => [],
        _ => text.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries),
    };

    private string? Text(string path, string? otherwise = null) => ReadRaw(path, SettingKind.Text, otherwise);

    /// <summary>One of the texts in <see cref="SettingText.Choices"/>; the caller checks it.</summary>
    private string? Choice(string path, string? otherwise = null) => ReadRaw(path, SettingKind.Choice, otherwise);

    private string? Secret(string path) => ReadRaw(path, SettingKind.Secret, otherwise: null);

    private int Number(string path, int otherwise, int least, int most) =>
        Parse(path, ReadRaw(path, SettingKind.Number, Invariant(otherwise), least, most), least, most) ?? otherwise;

    /// <summary>A number that may be missing.</summary>
    private int? Maybe(string path, int least, int most) =>
        Parse(path, ReadRaw(path, SettingKind.Number, otherwise: null, least, most), least, most);

    private int? Parse(string path, string? text, int least, int most)
    {
        if (text is null)
            return null;
        if (!int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var number))
            Fault(path, $"'{text}' is not a whole number.");
        else if (number < least || number > most)
            Fault(path, $"{number} is outside {least} … {most}.");
        else
            return number;
        return null;
    }

    /// <summary>The only place that reads values: the settings read here are all that exist.</summary>
    private string? ReadRaw(string path, SettingKind kind, string? otherwise, int? least = null, int? most = null)
    {
        var value = _root[path];
        if (string.IsNullOrEmpty(value))
            value = null;
        _entries.TryAdd(
            path, new SettingEntry(path, kind, otherwise, least, most) { Value = value, NeedsRestart = AtStart.Contains(path) });
        return value;
    }

    private static string Invariant(int number) => number.ToString(CultureInfo.InvariantCulture);

    private bool Flag(string path, bool otherwise)
    {
        if (ReadRaw(path, SettingKind.Flag, otherwise ? "true" : "false") is not { } text)
            return otherwise;
        if (bool.TryParse(text, out var flag))
            return flag;
        Fault(path, $"'{text}' is neither true nor false.");
        return otherwise;
    }

    private void FindUnknown(IConfigurationSection section)
    {
        foreach (var child in section.GetChildren())
        {
            var path = child.Path[(_root.Path.Length + 1)..];
            if (child.Value is not null && !_entries.ContainsKey(path) && !_faults.Exists(fault => fault.Covers(path)))
                Fault(path,
                    Renamed.TryGetValue(path, out var name)
                    ? $"it is called NzbDav__{name.Replace(":", "__", StringComparison.Ordinal)} now, with the same value."
                    : "there is no such setting.");
            FindUnknown(child);
        }
    }

    private void Fault(string path, string what) => _faults.Add(new SettingFault(path, what));
}
