using NzbDav.Content;
using NzbDav.Usenet.Articles;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Import;

/// <summary>A posted file whose layout is known.</summary>
/// <param name="Posted">As the .nzb has it.</param>
/// <param name="Header">What its first article says.</param>
/// <param name="Map">Where its bytes are.</param>
internal sealed record ProbedFile(NzbFile Posted, ArticleHeader Header, ExtentMap Map);
