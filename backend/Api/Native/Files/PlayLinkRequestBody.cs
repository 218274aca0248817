namespace NzbDav.Api.Native.Files;


/// <summary>A request for a play link.</summary>
/// <param name="Hours">How many hours it works: from 1 to what <c>Access:LinkDays</c> allows, a week without the right to manage; null:
/// 12, or twice the film's length if that is longer.</param>
internal sealed record PlayLinkRequestBody(int? Hours);
