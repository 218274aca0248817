using System.Security.Cryptography;
using NzbDav.Access.Keys;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Gateways;
using NzbDav.Host.Settings;

namespace NzbDav.Host.Serving;

/// <summary>
/// The keys of the configuration folder. With a catalog in PostgreSQL all gateways share them: the catalog is authoritative, and each
/// folder holds a copy. A key that only a folder has, because it was created there, is added to the catalog. Thread-safe.
/// </summary>
/// <param name="folder">The configuration folder.</param>
/// <param name="store">The catalog's keys.</param>
/// <param name="keySecret">Encrypts the keys of sessions and secrets; null: they are stored in plain text.</param>
internal sealed class SharedKeys(string folder, KeyStore store, string? keySecret) : IDisposable
{
    /// <summary>Prefix of the names of the keys that encrypt sessions and secrets.</summary>
    private const string RingPrefix = "key-";

    private readonly SemaphoreSlim _mutex = new(1, 1);

    /// <summary>
    /// Called at the start: creates all keys that a server needs before any is used. Two gateways that start at the same time end up with
    /// the same keys. Does nothing with SQLite.
    /// </summary>
    /// <exception cref="CatalogException">The catalog cannot be read or written.</exception>
    /// <exception cref="IOException">The folder cannot be written.</exception>
    /// <exception cref="ServerStartException">A key file holds something else.</exception>
    public async Task PrepareAsync(CancellationToken cancellationToken)
    {
        if (!store.IsShared)
            return;
        await SyncAsync(cancellationToken);
        ApiServices.DefaultKey(folder, ApiKeys.FullFile);
        ApiServices.DefaultKey(folder, ApiKeys.ClientFile);
        new LinkKeys(folder).Open(TimeProvider.System);
        await MakeRingAsync(cancellationToken);
        await SyncAsync(cancellationToken);
    }

    /// <summary>
    /// Reads the keys of sessions and secrets once, so that a wrong secret prevents the start instead of losing what they encrypt.
    /// </summary>
    /// <exception cref="ServerStartException">They are encrypted with another secret.</exception>
    public void Check()
    {
        try
        {
            new KeyRingFolder(Path.Combine(folder, "keys"), keySecret).GetAllElements();
        }
        catch (CryptographicException e)
        {
            throw new ServerStartException(
                $"{e.Message} Set NzbDav__Keys__Secret to the secret of this folder. If it is lost, delete key-*.xml there: everybody " +
                $"signs in again, and stored passwords have to be entered again.",
                e);
        }
    }

    /// <summary>Makes the folder and the catalog hold the same keys. Does nothing with SQLite.</summary>
    /// <exception cref="CatalogException">The catalog cannot be read or written.</exception>
    /// <exception cref="IOException">The folder cannot be written.</exception>
    public async Task SyncAsync(CancellationToken cancellationToken)
    {
        if (!store.IsShared)
            return;
        await _mutex.WaitAsync(cancellationToken);
        try
        {
            var known = new Dictionary<string, byte[]>(await store.ListAsync(cancellationToken), StringComparer.Ordinal);
            foreach (var file in Files())
            {
                if (!known.ContainsKey(file.Name))
                    known[file.Name] = await store.AddAsync(
                        file.Name, await File.ReadAllBytesAsync(file.FullName, cancellationToken), cancellationToken);
            }

            foreach (var (name, value) in known.Where(key => keySecret is not null && IsOfRing(key.Key)).ToArray())
            {
                // Stored before there was a secret.
                if (KeyRingFolder.Encrypt(value, keySecret!) is { } encrypted)
                    await store.SetAsync(name, known[name] = encrypted, cancellationToken);
            }

            foreach (var (name, value) in known.Where(static key => Path.GetFileName(key.Key) == key.Key))
            {
                var path = PathOf(name);
                if (!File.Exists(path) || !(await File.ReadAllBytesAsync(path, cancellationToken)).AsSpan().SequenceEqual(value))
                    SecretKey.Put(path, value);
            }
        }
        finally
        {
            _mutex.Release();
        }
    }

    /// <summary>
    /// Creates the first of the keys that encrypt sessions and secrets, in a separate folder. If two gateways do so at the same time, only
    /// one adds its key, so none encrypts with a key that the other has not read.
    /// </summary>
    private async Task MakeRingAsync(CancellationToken cancellationToken)
    {
        if (Files().Any(static file => IsOfRing(file.Name)))
            return;

        // Next to the keys: no other folder has to be writable.
        var made = PrivateFolder(Path.Combine(folder, "made-" + Guid.NewGuid().ToString("n")));
        try
        {
            StoredSettings.MakeKeys(made.FullName, keySecret);
            var file = made.GetFiles(RingPrefix + "*", SearchOption.AllDirectories).Single();
            await store.AddFirstAsync(
                RingPrefix, file.Name, await File.ReadAllBytesAsync(file.FullName, cancellationToken), cancellationToken);
        }
        finally
        {
            made.Delete(recursive: true);
        }
    }

    private static DirectoryInfo PrivateFolder(string path) => OperatingSystem.IsWindows()
        ? Directory.CreateDirectory(path)
        : Directory.CreateDirectory(path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);

    private static bool IsOfRing(string name) => name.StartsWith(RingPrefix, StringComparison.Ordinal);

    /// <summary>Replaces a key by new random bytes, for all gateways.</summary>
    /// <exception cref="CatalogException">Nothing was changed.</exception>
    /// <exception cref="IOException">The folder cannot be written.</exception>
    public async Task<byte[]> RenewAsync(string name, int length, CancellationToken cancellationToken)
    {
        await _mutex.WaitAsync(cancellationToken);
        try
        {
            var key = RandomNumberGenerator.GetBytes(length);
            if (store.IsShared)
                await store.SetAsync(name, key, cancellationToken);
            SecretKey.Put(PathOf(name), key);
            return key;
        }
        finally
        {
            _mutex.Release();
        }
    }

    public void Dispose() => _mutex.Dispose();

    /// <summary>The complete key files: unfinished ones have a suffix of digits.</summary>
    private IEnumerable<FileInfo> Files()
    {
        var keys = new DirectoryInfo(Path.Combine(folder, "keys"));
        return keys.Exists ? keys.EnumerateFiles().Where(static file => file.Extension is "" or ".xml") : [];
    }

    private string PathOf(string name) => Path.Combine(folder, "keys", name);
}
