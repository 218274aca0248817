namespace NzbDav.Api.Sab.Answers;

/// <summary>A new job that replaced another one.</summary>
internal sealed record JobAnswer(string NzoId, bool Status = true);

/// <summary>New jobs that replaced those that had failed; SABnzbd has their ids in this member.</summary>
internal sealed record RetriedAnswer(IReadOnlyList<string> Status);
