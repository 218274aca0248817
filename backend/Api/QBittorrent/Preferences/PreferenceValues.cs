using System.Globalization;
using System.Text.Json;

namespace NzbDav.Api.QBittorrent.Preferences;

/// <summary>The preferences of one rule: the current values, overlaid with those that a client sent. Immutable.</summary>
internal sealed class PreferenceValues
{
    private readonly Dictionary<string, object> _values;
    private readonly HashSet<string> _changed = new(StringComparer.Ordinal);

    /// <param name="told">Current values: texts, flags, whole numbers (long) and others (double).</param>
    /// <param name="asked">The values that a client sent. Values that cannot be read as the type of their preference are ignored; numbers
    /// and flags may be sent as text.</param>
    public PreferenceValues(IReadOnlyDictionary<string, object> told, JsonElement asked)
    {
        _values = new Dictionary<string, object>(told, StringComparer.Ordinal);
        foreach (var (name, before) in told)
        {
            if (!asked.TryGetProperty(name, out var element) || Convert(element, before) is not { } value || value.Equals(before))
                continue;
            _values[name] = value;
            _changed.Add(name);
        }
    }

    /// <summary>True if the client sent a value that differs from the current one.</summary>
    public bool IsChanged => _changed.Count > 0;

    public bool Changes(string name) => _changed.Contains(name);

    public string Text(string name) => (string)_values[name];

    public bool Flag(string name) => (bool)_values[name];

    public long Number(string name) => (long)_values[name];

    public double Decimal(string name) => (double)_values[name];

    private static object? Convert(JsonElement element, object like)
    {
        var text = element.ValueKind is JsonValueKind.String ? element.GetString()! : element.ValueKind is JsonValueKind.Number
            or JsonValueKind.True or JsonValueKind.False ? element.GetRawText() : null;
        if (text is null || like is string)
            return text;
        var number = double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var read) && double.IsFinite(read)
            ? read : (double?)null;
        return like switch
        {
            bool => bool.TryParse(text, out var flag) ? flag : number is { } one ? one != 0 : null,
            long => number is { } whole ? (long)Math.Clamp(Math.Round(whole), long.MinValue / 2, long.MaxValue / 2) : null,
            _ => number,
        };
    }
}
