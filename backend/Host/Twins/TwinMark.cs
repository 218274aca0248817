using System.Security.Cryptography;
using System.Text;

namespace NzbDav.Host.Twins;

/// <summary>Names the mark files of folders that were filled once.</summary>
internal static class TwinMark
{
    private const int Digits = 16;

    public static string NameOf(string folder) => Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(folder)))[..Digits];
}
