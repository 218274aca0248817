namespace NzbDav.Archives.Layouts;

/// <summary>Carries a refusal out of a parser to <see cref="ArchiveReader"/>, which makes it a value again. Never leaves this project.</summary>
internal sealed class ArchiveException(ArchiveRefusalReason reason, string text) : Exception(text)
{
    public ArchiveRefusal Refusal { get; } = new(reason, text);

    public static ArchiveException Damaged(string text) => new(ArchiveRefusalReason.Damaged, text);
}
