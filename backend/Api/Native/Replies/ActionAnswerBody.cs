namespace NzbDav.Api.Native.Replies;

/// <summary>The result of an action on several items.</summary>
/// <param name="Done">For how many items it was done.</param>
/// <param name="Refused">The items for which it was refused.</param>
public sealed record ActionAnswerBody(int Done, IReadOnlyList<RefusedBody> Refused);
