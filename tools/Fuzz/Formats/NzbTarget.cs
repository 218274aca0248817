using System.Text;
using NzbDav.Fuzz.Contract;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Fuzz.Formats;

/// <summary>NZB documents.</summary>
internal sealed class NzbTarget() : FuzzTarget("nzb", "NZB documents")
{
    public override IReadOnlyList<byte[]> Words { get; } =
    [
        .. ("<file|</file>|<segments>|</segments>|<segment |</segment>|<groups>|<group>|<meta " +
            "type=\"|</meta>|<nzb|</nzb>|<!--|-->|<![CDATA[|]]>|<!DOCTYPE |[<!ENTITY x \"y\">]>|&amp;|&#x41;|&#65;|&x;|<?xml " +
            "|?>|encoding=\"utf-16\"|encoding=\"windows-1252\"|number=\"|bytes=\"|subject=\"|date=\"|xmlns=\"|(1/2)|yEnc|\0|\ufeff")
            .Split('|').Select(Text),
    ];

    public override object? Run(byte[] input, Cuts cuts)
    {
        using var stream = new CutStream(input, cuts);
        var read = NzbReader.Read(stream);
        BrokenPromiseException.ThrowUnless(read.Succeeded == read.Error is null, "Either a document or an error.");
        return read;
    }

    public override string Tell(object? result)
    {
        var read = (NzbReadResult)result!;
        var text = new StringBuilder();
        text.AppendLine(read.Error?.ToString());
        foreach (var warning in read.Warnings)
            text.Append(warning).AppendLine();
        if (read.Document is not { } document)
            return text.ToString();
        foreach (var (type, values) in document.Meta.OrderBy(static pair => pair.Key, StringComparer.Ordinal))
            text.Append(type).Append('=').AppendJoin('|', values).AppendLine();
        foreach (var file in document.Files)
        {
            text.Append(file.Subject).Append('\t').Append(file.Poster).Append('\t').Append(file.Date.UtcTicks).Append('\t')
                .Append(file.FileName).Append('\t').AppendJoin(',', file.Groups).AppendLine();
            foreach (var segment in file.Segments)
                text.Append(segment.Number).Append(' ').Append(segment.Bytes).Append(' ').AppendLine(segment.ArticleIds);
        }

        return text.ToString();
    }
}
