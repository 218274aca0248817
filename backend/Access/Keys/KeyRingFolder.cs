using System.Security.Cryptography;
using System.Text;
using System.Xml.Linq;
using Microsoft.AspNetCore.DataProtection.Repositories;

namespace NzbDav.Access.Keys;

/// <summary>
/// The keys that encrypt sessions and secrets, one file each, readable only by this program's user. Unlike the framework's own repository
/// it writes to no other folder. With a secret the files are encrypted; files still in clear text are encrypted when they are read. Several
/// processes may use the folder at once.
/// </summary>
/// <param name="folder">Created with the first key.</param>
/// <param name="secret">Encrypts the keys. Stored elsewhere, so that a backup of the folder alone is useless. Null: the keys are stored in
/// clear text.</param>
public sealed class KeyRingFolder(string folder, string? secret = null) : IXmlRepository
{
    /// <summary>Fewest characters of a secret: whoever has a backup can guess it offline.</summary>
    public const int ShortestSecret = 16;

    private const string Sealed = "sealed";

    /// <summary>Takes 30 ms on a small machine for each key, at each start. That is enough for a long secret.</summary>
    private const int Iterations = 100_000;

    private const int SaltLength = 16;
    private const int TagLength = 16;
    private const int NonceLength = 12;

    /// <inheritdoc/>
    /// <exception cref="IOException">The folder cannot be read.</exception>
    /// <exception cref="CryptographicException">A key is encrypted with another secret.</exception>
    public IReadOnlyCollection<XElement> GetAllElements() =>
        Directory.Exists(folder) ? [.. Directory.EnumerateFiles(folder, "*.xml").Order(StringComparer.Ordinal).Select(Read)] : [];

    /// <inheritdoc/>
    /// <exception cref="IOException">The folder cannot be written; nothing was stored.</exception>
    public void StoreElement(XElement element, string friendlyName)
    {
        ArgumentNullException.ThrowIfNull(element);
        ArgumentException.ThrowIfNullOrEmpty(friendlyName);
        Write(secret is null ? element : Encrypt(element, secret), Path.Combine(folder, friendlyName + ".xml"));
    }

    /// <summary>The content of a key's file, encrypted.</summary>
    /// <returns>Null if it is already encrypted, or is no key.</returns>
    public static byte[]? Encrypt(byte[] file, string secret)
    {
        ArgumentNullException.ThrowIfNull(secret);
        using var from = new MemoryStream(file);
        var element = XElement.Load(from);
        if (element.Name == Sealed)
            return null;
        using var to = new MemoryStream();
        Encrypt(element, secret).Save(to);
        return to.ToArray();
    }

    private static XElement Encrypt(XElement element, string secret)
    {
        var plain = Encoding.UTF8.GetBytes(element.ToString(SaveOptions.DisableFormatting));
        var all = new byte[SaltLength + NonceLength + TagLength + plain.Length];
        var (salt, nonce, tag, cipher) = Parts(all);
        RandomNumberGenerator.Fill(all.AsSpan(0, SaltLength + NonceLength));
        using var aes = new AesGcm(KeyOf(secret, salt.Span), TagLength);
        aes.Encrypt(nonce.Span, plain, cipher.Span, tag.Span);
        CryptographicOperations.ZeroMemory(plain);
        return new XElement(Sealed, Convert.ToBase64String(all));
    }

    private static byte[] KeyOf(string secret, ReadOnlySpan<byte> salt) =>
        Rfc2898DeriveBytes.Pbkdf2(Encoding.UTF8.GetBytes(secret), salt, Iterations, HashAlgorithmName.SHA256, outputLength: 32);

    private static (Memory<byte> Salt, Memory<byte> Nonce, Memory<byte> Tag, Memory<byte> Cipher) Parts(Memory<byte> all) => (
        all[..SaltLength],
        all.Slice(SaltLength, NonceLength),
        all.Slice(SaltLength + NonceLength, TagLength),
        all[(SaltLength + NonceLength + TagLength)..]);

    private XElement Read(string path)
    {
        var element = XElement.Load(path);
        if (element.Name == Sealed)
            return Decrypt(path, element);
        if (secret is not null)
            Write(Encrypt(element, secret), path);
        return element;
    }

    private XElement Decrypt(string path, XElement element)
    {
        if (secret is null)
            throw new CryptographicException($"{path} is encrypted with a secret that is not set.");
        try
        {
            var all = Convert.FromBase64String(element.Value);
            if (all.Length < SaltLength + NonceLength + TagLength)
                throw new CryptographicException($"{path} is damaged.");
            var (salt, nonce, tag, cipher) = Parts(all);
            var plain = new byte[cipher.Length];
            using var aes = new AesGcm(KeyOf(secret, salt.Span), TagLength);
            aes.Decrypt(nonce.Span, cipher.Span, tag.Span, plain);
            return XElement.Parse(Encoding.UTF8.GetString(plain));
        }
        catch (Exception e) when (e is FormatException or AuthenticationTagMismatchException)
        {
            throw new CryptographicException($"{path} is encrypted with another secret, or damaged.", e);
        }
    }

    private void Write(XElement element, string path)
    {
        var options = new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.Write };
        if (OperatingSystem.IsWindows())
        {
            Directory.CreateDirectory(folder);
        }
        else
        {
            Directory.CreateDirectory(folder, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        }

        var unfinished = path + "." + Guid.NewGuid().ToString("N");
        using (var file = new FileStream(unfinished, options))
        {
            element.Save(file);
            file.Flush(flushToDisk: true);
        }

        File.Move(unfinished, path, overwrite: true);
    }
}
