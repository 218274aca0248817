using System.CommandLine;

namespace NzbDav.FullNzbTester.Options;

/// <summary>Options of the command line that take a number.</summary>
internal static class NumberOption
{
    /// <summary>One that takes a whole number.</summary>
    /// <param name="name">With its dashes.</param>
    /// <param name="value">Used when the option is not given.</param>
    /// <param name="description">Shown in the help.</param>
    /// <param name="least">Less is refused.</param>
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

    /// <summary>One that takes any number, perhaps with a fraction.</summary>
    /// <param name="name">With its dashes.</param>
    /// <param name="value">Used when the option is not given.</param>
    /// <param name="description">Shown in the help.</param>
    public static Option<double> Create(string name, double value, string description) => new(name) { Description = description, DefaultValueFactory = _ => value };
}
