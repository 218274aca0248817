namespace NzbDav.Access.Replies;

/// <summary>Why something was refused or failed: the answer of every call below <c>/api/v1</c> that was not done.</summary>
/// <param name="Error">In words, for people.</param>
public sealed record ErrorBody(string Error);
