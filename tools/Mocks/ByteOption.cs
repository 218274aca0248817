using System.CommandLine;

namespace NzbDav.Mocks;

/// <summary>Creates command-line options for a number of bytes.</summary>
public static class ByteOption
{
    /// <param name="name">Name with its dashes.</param>
    /// <param name="description">Shown in the help.</param>
    /// <param name="value">Used when the option is not given.</param>
    public static Option<long> Create(string name, string description, long value = 0) => new(name)
    {
        Description = description,
        DefaultValueFactory = _ => value,
        CustomParser = result =>
        {
            if (ByteCount.TryParse(result.Tokens[0].Value, out var bytes))
                return bytes;
            result.AddError($"{name} must be a number of bytes, as in 500K or 12.5M.");
            return 0;
        },
    };
}
