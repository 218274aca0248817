namespace NzbDav.Api.Native;

/// <summary>What became of an action.</summary>
/// <param name="Done">With how many it was done.</param>
/// <param name="Refused">With which it was not.</param>
public sealed record ActionAnswerBody(int Done, IReadOnlyList<RefusedBody> Refused);
