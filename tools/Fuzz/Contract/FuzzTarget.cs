using System.IO.Compression;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace NzbDav.Fuzz.Contract;

/// <summary>A parser of external bytes, with its contract. Not thread-safe.</summary>
/// <param name="name">Its name on the command line.</param>
/// <param name="describes">The format, for the list that the command prints.</param>
internal abstract class FuzzTarget(string name, string describes)
{
    private static readonly JsonSerializerOptions Dump = new()
    {
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        IncludeFields = true,
        NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals,
    };

    /// <summary>Its name on the command line.</summary>
    public string Name => name;

    /// <summary>The format that it parses.</summary>
    public string Describes => describes;

    /// <summary>Longest input tried, in bytes.</summary>
    public virtual int Longest { get; init; } = 8 << 10;

    /// <summary>
    /// False if cutting the input changes nothing or cannot be compared: the parser gets all of it at once, or draws random numbers.
    /// </summary>
    public virtual bool IsCut => true;

    /// <summary>Words of the format that mutations insert: magic numbers, names of fields.</summary>
    public virtual IReadOnlyList<byte[]> Words => [];

    /// <summary>Most bytes that a run over <paramref name="length"/> bytes may allocate in total: an upper bound on the cost of hostile
    /// input, not a measurement.</summary>
    public virtual long MostAllocated(int length) => (512 << 10) + (200L * length);

    /// <summary>Valid inputs to start from: by default the files whose names begin with the target's name.</summary>
    public virtual IEnumerable<byte[]> Seeds() => Files("Seeds");

    /// <summary>Minimised inputs of earlier findings.</summary>
    public IEnumerable<byte[]> Cases() => Files("Cases");

    /// <summary>Repairs checksums and other fields that would make the parser reject a changed input early: in place, as far as the input
    /// can be understood.</summary>
    /// <param name="input">The changed input.</param>
    /// <param name="random">Source of random numbers.</param>
    public virtual void Mend(byte[] input, Random random)
    {
    }

    /// <summary>Parses one input.</summary>
    /// <param name="input">The input; must not be changed.</param>
    /// <param name="cuts">How it is delivered.</param>
    /// <returns>The result. Its text, by <see cref="Tell"/>, is the same for the same input, however it is cut.</returns>
    /// <exception cref="Exception">A fault. Documented rejections of bad input, exceptions included, are results.</exception>
    public abstract object? Run(byte[] input, Cuts cuts);

    /// <summary>Converts a result to text, complete enough to compare two results.</summary>
    public virtual string Tell(object? result) => result as string ?? JsonSerializer.Serialize(result, Dump);

    /// <summary>The UTF-8 bytes of a text, for seeds and words.</summary>
    protected static byte[] Text(string text) => Encoding.UTF8.GetBytes(text);

    /// <summary>Reads a file beside the program, decompressed if its name ends in .gz.</summary>
    protected static byte[] Load(string path)
    {
        var bytes = File.ReadAllBytes(Path.Combine(AppContext.BaseDirectory, path));
        if (!path.EndsWith(".gz", StringComparison.Ordinal))
            return bytes;
        using var packed = new GZipStream(new MemoryStream(bytes), CompressionMode.Decompress);
        using var plain = new MemoryStream();
        packed.CopyTo(plain);
        return plain.ToArray();
    }

    private IEnumerable<byte[]> Files(string folder) =>
        Directory.EnumerateFiles(Path.Combine(AppContext.BaseDirectory, folder), name + ".*").Order(StringComparer.Ordinal).Select(Load);
}

/// <summary>A parser's result that breaks its contract: a span beyond the file, or a value of a refused entry.</summary>
/// <param name="message">The broken promise.</param>
internal sealed class BrokenPromiseException(string message) : Exception(message)
{
    /// <summary>Throws if <paramref name="kept"/> is false.</summary>
    public static void ThrowUnless(bool kept, string promise)
    {
        if (!kept)
            throw new BrokenPromiseException(promise);
    }
}

/// <summary>Kind of a parser's fault.</summary>
internal enum FindingKind
{
    /// <summary>It threw an undocumented exception, or broke its contract.</summary>
    Throws,

    /// <summary>It allocated more than its bound.</summary>
    Memory,

    /// <summary>Its result depends on how the input was cut.</summary>
    Differs,

    /// <summary>It did not return.</summary>
    Hangs,

    /// <summary>It ended the process.</summary>
    Crashes,
}

/// <summary>A folder beside the program for files that parsers spool; each is deleted when closed.</summary>
internal static class ScratchFiles
{
    /// <summary>The folder, in place of the configuration folder.</summary>
    public static string Folder { get; } = Directory.CreateDirectory(Path.Combine(AppContext.BaseDirectory, "scratch")).FullName;

    /// <summary>Opens a file for one run.</summary>
    public static FileStream Open() => new(Path.Combine(Folder, Path.GetRandomFileName()),
        new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.ReadWrite, Options = FileOptions.DeleteOnClose });
}
