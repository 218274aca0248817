namespace NzbDav.Api.Native.Files;


/// <summary>A text subtitle beside a film.</summary>
/// <param name="Id">Id of the file. <c>GET /files/{id}/vtt</c> returns it in a format for browsers.</param>
/// <param name="Name">Its name.</param>
/// <param name="Language">The language in its name, as written there (<c>en</c>, <c>ger</c>, <c>pt-BR</c>); null: none.</param>
internal sealed record FileSubtitleBody(string Id, string Name, string? Language);
