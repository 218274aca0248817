using NzbDav.Api.QBittorrent.Options;

namespace NzbDav.Api.QBittorrent.Preferences;

/// <summary>
/// Preferences of qBittorrent that have no counterpart here, with fixed values: off, empty, or qBittorrent's default for numbers. Clients
/// that show settings expect them to be present.
/// </summary>
internal static class FixedPreferences
{
    private static readonly string[] Off =
    [
        "add_stopped_enabled", "add_to_top_of_queue", "add_trackers_enabled", "add_trackers_from_url_enabled", "alternative_webui_enabled",
        "announce_to_all_tiers", "anonymous_mode",
        "auto_tmm_enabled", "autorun_enabled", "autorun_on_torrent_added_enabled", "block_peers_on_privileged_ports",
        "category_changed_tmm_enabled", "confirm_torrent_recheck",
        "delete_torrent_content_files", "dyndns_enabled", "embedded_tracker_port_forwarding", "enable_coalesce_read_write",
        "enable_embedded_tracker", "enable_multi_connections_from_same_ip",
        "enable_piece_extent_affinity", "enable_upload_suggestions", "excluded_file_names_enabled", "file_log_backup_enabled",
        "file_log_delete_old", "file_log_enabled", "i2p_enabled",
        "i2p_mixed_mode", "idn_support_enabled", "ignore_ssl_errors", "incomplete_files_ext", "ip_filter_trackers", "limit_tcp_overhead",
        "limit_utp_rate", "mail_notification_auth_enabled",
        "mail_notification_enabled", "mail_notification_ssl_enabled", "mark_of_the_web", "merge_trackers", "performance_warning",
        "preallocate_all", "proxy_misc", "proxy_rss", "random_port",
        "reannounce_when_address_changed", "recheck_completed_torrents", "resolve_peer_countries", "rss_auto_downloading_enabled",
        "rss_download_repack_proper_episodes", "rss_processing_enabled",
        "save_path_changed_tmm_enabled", "ssl_enabled", "status_bar_external_ip", "temp_path_enabled", "torrent_changed_tmm_enabled",
        "use_category_paths_in_manual_mode", "use_https",
        "use_subcategories", "use_unwanted_folder", "web_ui_reverse_proxy_enabled", "web_ui_upnp", "web_ui_use_custom_http_headers_enabled",
    ];

    private static readonly string[] On =
    [
        "announce_to_all_trackers", "dont_count_slow_torrents", "limit_lan_peers", "proxy_bittorrent", "proxy_hostname_lookup",
        "proxy_peer_connections", "ssrf_mitigation", "validate_https_tracker_certificate",
        "web_ui_clickjacking_protection_enabled", "web_ui_csrf_protection_enabled", "web_ui_host_header_validation_enabled",
        "web_ui_secure_cookie_enabled",
    ];

    private static readonly string[] Empty =
    [
        "add_trackers", "add_trackers_from_url_list", "add_trackers_url", "alternative_webui_path", "announce_ip", "app_instance_name",
        "autorun_on_torrent_added_program", "autorun_program",
        "current_interface_name", "dyndns_domain", "dyndns_password", "dyndns_username", "excluded_file_names", "export_dir",
        "export_dir_fin", "file_log_path", "i2p_address",
        "mail_notification_email", "mail_notification_password", "mail_notification_sender", "mail_notification_smtp",
        "mail_notification_username", "python_executable_path",
        "rss_smart_episode_filters", "temp_path", "web_ui_custom_http_headers", "web_ui_https_cert_path", "web_ui_https_key_path",
        "web_ui_reverse_proxies_list", "web_ui_username",
    ];

    private static readonly (string Name, object Value)[] Others =
    [
        ("announce_port", 0), ("async_io_threads", 10), ("auto_delete_mode", 0), ("bdecode_depth_limit", 100),
        ("bdecode_token_limit", 10_000_000),
        ("checking_memory_use", 32), ("connection_speed", 30), ("disk_cache", -1), ("disk_cache_ttl", 60), ("disk_io_read_mode", 1),
        ("disk_io_type", 0), ("disk_io_write_mode", 1),
        ("disk_queue_size", 1_048_576), ("dyndns_service", 0), ("embedded_tracker_port", 9_000), ("file_log_age", 1),
        ("file_log_age_type", 1), ("file_log_max_size", 65), ("file_pool_size", 100),
        ("hashing_threads", 1), ("hostname_cache_ttl", 1_200), ("i2p_inbound_length", 3), ("i2p_inbound_quantity", 3),
        ("i2p_outbound_length", 3), ("i2p_outbound_quantity", 3), ("i2p_port", 7_656),
        ("locale", "en"), ("mail_notification_smtp_port", 0), ("max_active_checking_torrents", 1), ("max_active_torrents", -1),
        ("max_concurrent_http_announces", 50), ("max_uploads", -1),
        ("memory_working_set_limit", 512), ("outgoing_ports_max", 0), ("outgoing_ports_min", 0), ("peer_tos", 4), ("peer_turnover", 4),
        ("peer_turnover_cutoff", 90), ("peer_turnover_interval", 300),
        ("refresh_interval", QbitOptions.RefreshMilliseconds), ("request_queue_size", 500), ("resume_data_storage_type", "Legacy"),
        ("rss_fetch_delay", 2), ("rss_max_articles_per_feed", 50),
        ("rss_refresh_interval", 30), ("save_resume_data_interval", 60), ("save_statistics_interval", 15),
        ("send_buffer_low_watermark", 10), ("send_buffer_watermark", 500),
        ("send_buffer_watermark_factor", 50), ("slow_torrent_dl_rate_threshold", 2), ("slow_torrent_inactive_timer", 60),
        ("slow_torrent_ul_rate_threshold", 2), ("socket_backlog_size", 30),
        ("socket_receive_buffer_size", 0), ("socket_send_buffer_size", 0), ("ssl_listen_port", 0), ("stop_tracker_timeout", 2),
        ("torrent_content_layout", "Original"),
        ("torrent_content_remove_option", "Delete"), ("torrent_file_size_limit", 104_857_600), ("torrent_stop_condition", "None"),
        ("upload_choking_algorithm", 1), ("upload_slots_behavior", 0),
        ("upnp_lease_duration", 0), ("utp_tcp_mixed_mode", 0), ("web_ui_address", "*"), ("web_ui_domain_list", "*"),
    ];

    /// <summary>The values by name.</summary>
    public static SortedDictionary<string, object> Read()
    {
        var all = new SortedDictionary<string, object>(StringComparer.Ordinal)
        { ["scan_dirs"] = new Dictionary<string, object>(StringComparer.Ordinal) };
        foreach (var name in Off)
            all[name] = false;
        foreach (var name in On)
            all[name] = true;
        foreach (var name in Empty)
            all[name] = "";
        foreach (var (name, value) in Others)
            all[name] = value;
        return all;
    }
}
