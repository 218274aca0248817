using System.Text.Json;

namespace NzbDav.Api.QBittorrent.Routing;

/// <summary>Writes values whose type is known only at run time.</summary>
internal static class JsonValues
{
    /// <summary>Writes a member: a number, a flag, text, null, or an array of text.</summary>
    public static void Write(Utf8JsonWriter writer, string name, object? value)
    {
        writer.WritePropertyName(name);
        switch (value)
        {
            case null:
                writer.WriteNullValue();
                break;
            case bool flag:
                writer.WriteBooleanValue(flag);
                break;
            case long number:
                writer.WriteNumberValue(number);
                break;
            case double number:
                writer.WriteNumberValue(number);
                break;
            case string text:
                writer.WriteStringValue(text);
                break;
            case IEnumerable<string> texts:
                writer.WriteStartArray();
                foreach (var text in texts)
                    writer.WriteStringValue(text);
                writer.WriteEndArray();
                break;
            default:
                throw new ArgumentException($"Values of type {value.GetType()} cannot be written.", nameof(value));
        }
    }
}
