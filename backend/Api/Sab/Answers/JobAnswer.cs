namespace NzbDav.Api.Sab.Answers;

/// <summary>A new job that replaced another one.</summary>
internal sealed record JobAnswer(string NzoId, bool Status = true);
