using System.Text.Json;
using System.Text.Json.Serialization;

namespace NzbDav.Content.Recording;

/// <summary>Writes a recording line by line. Not thread-safe.</summary>
/// <param name="target">Receives UTF-8 text; stays open.</param>
public sealed class RecordingWriter(Stream target)
{
    private long _lines;

    /// <summary>Writes the first line.</summary>
    /// <param name="begun">The instant that times count from.</param>
    /// <param name="by">The version of NzbDav that writes.</param>
    public void Begin(DateTimeOffset begun, string by) =>
        Write(new RecordedLine { Kind = LineKinds.Recording, Version = RecordedLine.Current, Begun = begun, By = by });

    public void Write(RecordedLine line)
    {
        JsonSerializer.Serialize(target, line, RecordingJson.Default.RecordedLine);
        target.WriteByte((byte)'\n');
        _lines++;
    }

    /// <summary>Writes the last line, by which a reader knows that none is missing.</summary>
    public void Complete() => Write(new RecordedLine { Kind = LineKinds.RecordingEnd, Lines = _lines });
}

/// <summary>JSON settings for the lines of recordings.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, NumberHandling = JsonNumberHandling.Strict,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull, UnmappedMemberHandling = JsonUnmappedMemberHandling.Skip)]
[JsonSerializable(typeof(RecordedLine))]
internal sealed partial class RecordingJson : JsonSerializerContext;
