namespace NzbDav.Api.Sab.Answers;

/// <summary>Whether the call succeeded.</summary>
internal sealed record StatusAnswer(bool Status);
