namespace NzbDav.Api.Native.Files;


/// <summary>A track of a film.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="Codec">As RFC 6381 writes it, fit for <c>canPlayType</c> (<c>avc1.640028</c>); null: not known.</param>
/// <param name="Name">The codec's name for people.</param>
/// <param name="Language">As the container has it: ISO 639-2 or BCP 47; null: none.</param>
/// <param name="Width">Pixels; null unless it is video.</param>
/// <param name="Height">Pixels; null unless it is video.</param>
/// <param name="Channels">Channels of sound; null unless it is audio.</param>
/// <param name="Default">Players take it unless told otherwise.</param>
internal sealed record MediaTrackBody(MediaTrackKind Kind, string? Codec, string Name, string? Language, int? Width, int? Height, int? Channels, bool Default);
