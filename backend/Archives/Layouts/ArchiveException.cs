namespace NzbDav.Archives.Layouts;

/// <summary>Carries a refusal from a parser to <see cref="ArchiveReader"/>, which returns it as a value. Never leaves this project.</summary>
internal sealed class ArchiveException(ArchiveRefusalReason reason, string text) : Exception(text)
{
    public ArchiveRefusal Refusal { get; } = new(reason, text);

    public static ArchiveException Damaged(string text) => new(ArchiveRefusalReason.Damaged, text);
}
