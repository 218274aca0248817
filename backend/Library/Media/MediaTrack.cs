namespace NzbDav.Library.Media;

/// <summary>A track, as its container describes it.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="Codec">As RFC 6381 writes it (<c>avc1.640028</c>); null: not known, or nothing that browsers are asked about.</param>
/// <param name="Name">The codec's name for people.</param>
/// <param name="Language">As the container has it; null: none.</param>
/// <param name="Width">Pixels; null unless it is video.</param>
/// <param name="Height">Pixels; null unless it is video.</param>
/// <param name="Channels">Null unless it is audio.</param>
/// <param name="IsDefault">Players take it unless told otherwise.</param>
public sealed record MediaTrack(TrackKind Kind, string? Codec, string Name, string? Language = null, int? Width = null, int? Height = null, int? Channels = null, bool IsDefault = true);
