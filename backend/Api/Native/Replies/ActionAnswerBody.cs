namespace NzbDav.Api.Native.Replies;

/// <summary>The result of an action on several items.</summary>
/// <param name="Done">For how many items it was done.</param>
/// <param name="Refused">The items for which it was refused.</param>
public sealed record ActionAnswerBody(int Done, IReadOnlyList<RefusedBody> Refused);

/// <summary>An item for which an action was refused.</summary>
/// <param name="Id">Its id.</param>
/// <param name="Reason">Why, in words.</param>
public sealed record RefusedBody(string Id, string Reason);
