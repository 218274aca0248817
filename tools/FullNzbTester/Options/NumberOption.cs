using System.CommandLine;

namespace NzbDav.FullNzbTester.Options;

/// <summary>Creates command-line options for numbers.</summary>
internal static class NumberOption
{
    /// <summary>An option for a whole number.</summary>
    /// <param name="name">With its dashes.</param>
    /// <param name="value">Used when the option is not given.</param>
    /// <param name="description">Shown in the help.</param>
    /// <param name="least">The smallest number allowed.</param>
    public static Option<int> Create(string name, int value, string description, int least)
    {
        var option = new Option<int>(name) { Description = description, DefaultValueFactory = _ => value };
        option.Validators.Add(result =>
        {
            if (!result.Errors.Any() && result.GetValueOrDefault<int>() < least)
                result.AddError($"{name} must be at least {least}.");
        });
        return option;
    }

    /// <summary>An option for a number, possibly with a fraction.</summary>
    /// <param name="name">With its dashes.</param>
    /// <param name="value">Used when the option is not given.</param>
    /// <param name="description">Shown in the help.</param>
    public static Option<double> Create(string name, double value, string description) => new(name) { Description = description, DefaultValueFactory = _ => value };
}
