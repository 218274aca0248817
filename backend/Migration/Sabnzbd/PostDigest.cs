using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using System.Xml;

namespace NzbDav.Migration.Sabnzbd;

/// <summary>SABnzbd's fingerprint of an .nzb: MD5 over the message-ids in the order of the document, nothing between them.</summary>
internal static class PostDigest
{
    /// <summary>The fingerprint in lower-case hex; null if it is no XML.</summary>
    public static string? Of(Stream nzb)
    {
        // SABnzbd chose this fingerprint; here it only distinguishes two posts of one name.
#pragma warning disable CA5351
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.MD5);
#pragma warning restore CA5351
        try
        {
            using var xml = XmlReader.Create(nzb, new XmlReaderSettings
            { DtdProcessing = DtdProcessing.Ignore, XmlResolver = null, MaxCharactersInDocument = Packed.BoundedBytes.LongestNzb });
            while (xml.Read())
            {
                if (xml.NodeType != XmlNodeType.Element || xml.LocalName != "segment")
                    continue;
                var counts = IsNumber(xml.GetAttribute("bytes")) && IsNumber(xml.GetAttribute("number"));
                if (!xml.IsEmptyElement && xml.Read() && xml.NodeType == XmlNodeType.Text && counts)
                    hash.AppendData(Encoding.UTF8.GetBytes(xml.Value.Trim()));
            }
        }
        catch (XmlException)
        {
            return null;
        }

        return Convert.ToHexStringLower(hash.GetHashAndReset());
    }

    private static bool IsNumber(string? text) => long.TryParse(text, NumberStyles.Integer, CultureInfo.InvariantCulture, out _);
}
