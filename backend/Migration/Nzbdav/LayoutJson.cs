using System.Text.Json.Serialization;
using NzbDav.Migration.Packed;

namespace NzbDav.Migration.Nzbdav;

/// <summary>Layouts in rows.</summary>
[JsonSerializable(typeof(string[]))]
[JsonSerializable(typeof(PackedRarPart[]))]
[JsonSerializable(typeof(PackedMeta))]
internal sealed partial class LayoutJson : JsonSerializerContext;
