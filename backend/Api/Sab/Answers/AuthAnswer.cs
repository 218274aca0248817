namespace NzbDav.Api.Sab.Answers;

/// <summary>How callers authenticate, or which kind of key the caller has.</summary>
internal sealed record AuthAnswer(string Auth);
