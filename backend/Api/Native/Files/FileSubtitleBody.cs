namespace NzbDav.Api.Native.Files;


/// <summary>A text subtitle beside a film.</summary>
/// <param name="Id">The file: <c>GET /files/{id}/vtt</c> gives it to a browser.</param>
/// <param name="Name">Its name.</param>
/// <param name="Language">What its name says, as it stands there (<c>en</c>, <c>ger</c>, <c>pt-BR</c>); null: nothing.</param>
internal sealed record FileSubtitleBody(string Id, string Name, string? Language);
