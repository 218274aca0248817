using System.Xml.Linq;

namespace NzbDav.Torrents.Mapping;

/// <summary>A device's answer to a call.</summary>
/// <param name="Values">The values returned; null = it refused.</param>
/// <param name="Fault">UPnP's error code; 0 = none was sent.</param>
/// <param name="Reason">Why it refused, for the user.</param>
internal sealed record SoapAnswer(XElement? Values, int Fault, string? Reason)
{
    /// <summary>One of the values; null if it is not there.</summary>
    public string? Find(string name) => Values?.Descendants().FirstOrDefault(element => element.Name.LocalName == name)?.Value.Trim();
}
