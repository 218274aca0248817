namespace NzbDav.Archives.Layouts;

/// <summary>Why something cannot be served, for programs and for people.</summary>
/// <param name="Reason">For programs.</param>
/// <param name="Text">For people: one sentence that says what is wrong. May quote names from the archive.</param>
public sealed record ArchiveRefusal(ArchiveRefusalReason Reason, string Text);
