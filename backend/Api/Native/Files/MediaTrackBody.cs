namespace NzbDav.Api.Native.Files;


/// <summary>A track of a film.</summary>
/// <param name="Kind">Video, audio or subtitle.</param>
/// <param name="Codec">In the notation of RFC 6381, fit for <c>canPlayType</c> (<c>avc1.640028</c>); null: not known.</param>
/// <param name="Name">Name of the codec, for people.</param>
/// <param name="Language">As written in the container: ISO 639-2 or BCP 47; null: none.</param>
/// <param name="Width">In pixels; null unless it is video.</param>
/// <param name="Height">In pixels; null unless it is video.</param>
/// <param name="Channels">Audio channels; null unless it is audio.</param>
/// <param name="Default">Players choose it by default.</param>
internal sealed record MediaTrackBody(MediaTrackKind Kind, string? Codec, string Name, string? Language, int? Width, int? Height, int? Channels, bool Default);
