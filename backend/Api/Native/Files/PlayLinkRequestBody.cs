namespace NzbDav.Api.Native.Files;


/// <summary>A link that is asked for.</summary>
/// <param name="Hours">How long it opens the file, 1 … 8760; null: 12, or twice the film's length if that is longer.</param>
internal sealed record PlayLinkRequestBody(int? Hours);
