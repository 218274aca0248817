using System.Net;
using NzbDav.Archives.Volumes;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Import.Names;

/// <summary>Titles of jobs that are the subject of an article.</summary>
internal static class SubjectTitle
{
    /// <summary>
    /// The file name in a subject, which some search engines give as a title: <c>[49/50] - "x.part01.rar" yEnc (1/9)</c>. Null if the text
    /// is not a subject.
    /// </summary>
    public static string? NameIn(string text)
    {
        text = WebUtility.HtmlDecode(text);
        if (text.LastIndexOf('"') is not (> 0 and var quote) || text.LastIndexOf("yEnc", StringComparison.OrdinalIgnoreCase) < quote
            || NzbSubject.Parse(text).FileName is not { } name)
            return null;
        name = VolumeSeries.SetName(RecoveryFiles.IsPar2(name) ? RecoveryFiles.StemOf(name) : name);
        return FileExtension.TypeOf(name) != FileType.Unknown && name.LastIndexOf('.') is > 0 and var dot ? name[..dot] : name;
    }
}
