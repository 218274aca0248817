namespace NzbDav.Api.Native.Files;


/// <summary>A request for a play link.</summary>
/// <param name="Hours">How many hours it works, 1 to 8760; null: 12, or twice the film's length if that is longer.</param>
internal sealed record PlayLinkRequestBody(int? Hours);
