package dev.kubeinformer.client.table;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.net.ssl.SSLContext;

import okhttp3.tls.HeldCertificate;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.client.table.AuthenticatingServer.ServerOptions;
import dev.kubeinformer.fixtures.proxy.ScriptedProxy;

/**
 * The servers and proxies of the table, and the texts that stand for them in its cases.
 */
final class TableServers implements Closeable {

	private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([a-z0-9-]+)(?::([a-z0-9+-]+))?}");

	final Contacts contacts = new Contacts();

	private final Certificates certificates = new Certificates();

	private final Authentication authentication = new Authentication(this.certificates.clientAuthority.certificate());

	private final Map<String, String> values = new LinkedHashMap<>();

	private final List<Closeable> open = new ArrayList<>();

	TableServers() throws IOException, GeneralSecurityException {
		secured("server", this.certificates.server);
		secured("strange", this.certificates.strange);
		secured("expired", this.certificates.expired);
		secured("future", this.certificates.future);
		secured("nameless", this.certificates.nameless);
		secured("named", this.certificates.named);
		secured("wildcard", this.certificates.wildcard);
		secured("self-signed", this.certificates.selfSigned);
		secured("incomplete", this.certificates.chained);
		secured("chained", this.certificates.chained, this.certificates.intermediateAuthority.certificate());
		start("router", "https", "127.0.0.1",
				tls(Map.of(ServerTls.OTHERWISE, this.certificates.router, "api.cluster.test", this.certificates.named)),
				ServerOptions.usual());
		start("tls12", "https", "127.0.0.1", tls(this.certificates.server),
				new ServerOptions(List.of("TLSv1.2"), false));
		start("mutual", "https", "127.0.0.1", tls(this.certificates.server), new ServerOptions(List.of(), true));
		start("plain", "http", "127.0.0.1", null, ServerOptions.usual());
		try {
			start("ipv6", "https", "::1", tls(this.certificates.server), ServerOptions.usual());
		}
		catch (IOException ex) {
			// Not every machine has it; its cases are left out.
		}
		Socket closed = new Socket();
		this.open.add(closed);
		// It is bound and does not listen: nobody else gets the port meanwhile.
		closed.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0));
		this.values.put("closed-host", "127.0.0.1:" + closed.getLocalPort());
		proxy("proxy", null, null);
		proxy("guarded-proxy", "joe:secret-of-joe", null);
		proxy("tls-proxy", null, tls(this.certificates.server));
	}

	private void secured(String name, HeldCertificate certificate, X509Certificate... others)
			throws IOException, GeneralSecurityException {
		start(name, "https", "127.0.0.1", tls(certificate, others), ServerOptions.usual());
	}

	private SSLContext tls(HeldCertificate certificate, X509Certificate... others) throws GeneralSecurityException {
		return ServerTls.context(this.certificates.clientAuthority.certificate(),
				Map.of(ServerTls.OTHERWISE, certificate), others);
	}

	private SSLContext tls(Map<String, HeldCertificate> byName) throws GeneralSecurityException {
		return ServerTls.context(this.certificates.clientAuthority.certificate(), byName);
	}

	private void start(String name, String scheme, String host, @Nullable SSLContext tls, ServerOptions options)
			throws IOException {
		AuthenticatingServer server = new AuthenticatingServer(InetAddress.getByName(host), tls, options,
				this.authentication, this.contacts);
		this.open.add(server);
		String authority = (host.contains(":") ? "[" + host + "]" : host) + ":" + server.port();
		this.values.put(name, scheme + "://" + authority);
		this.values.put(name + "-host", authority);
		this.values.put(name + "-port", String.valueOf(server.port()));
	}

	private void proxy(String name, @Nullable String user, @Nullable SSLContext tls) throws IOException {
		ScriptedProxy proxy = ScriptedProxy.observed(tls, user, this.contacts::connected,
				(asked) -> passed(asked, tls != null));
		this.open.add(proxy);
		this.values.put(name + "-host", "127.0.0.1:" + proxy.port());
	}

	private void passed(String asked, boolean tls) {
		if (asked.startsWith("SOCKS")) {
			this.contacts.passed("SOCKS");
		}
		else if (asked.startsWith("HTTP") || asked.startsWith("CONNECT")) {
			this.contacts.passed(tls ? "HTTPS" : "HTTP");
		}
	}

	private static String base64(String text) {
		return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
	}

	boolean has(String name) {
		return this.values.containsKey(name);
	}

	/**
	 * Puts values in place of placeholders: {@code ${server}}; {@code ${pem:ca}} for PEM,
	 * {@code ${data:client+client-key}} for two PEMs in base64, {@code ${crlf:client}}
	 * for PEM with the line ends of Windows; {@code ${dir}} for the folder of the case.
	 * @param text the text
	 * @param folder the folder of the case
	 * @return the text with values
	 */
	String filled(String text, Path folder) {
		return PLACEHOLDER.matcher(text).replaceAll((found) -> Matcher.quoteReplacement(value(found, folder)));
	}

	private String value(MatchResult found, Path folder) {
		String name = found.group(1);
		String argument = found.group(2);
		if (argument != null) {
			String pem = this.certificates.pem(argument);
			return switch (name) {
				case "pem" -> pem;
				case "data" -> base64(pem);
				case "crlf" -> pem.replace("\n", "\r\n");
				case "lines" -> pem.replace("\n", "\\n");
				default -> throw new IllegalArgumentException(found.group());
			};
		}
		String value = name.equals("dir") ? folder.toString() : this.values.get(name);
		if (value == null) {
			throw new IllegalArgumentException("no '%s' in %s".formatted(name, this.values.keySet()));
		}
		return value;
	}

	/**
	 * Puts placeholders in place of what differs with each run.
	 * @param text the text
	 * @param folder the folder of the case
	 * @return the text
	 */
	String normalised(String text, Path folder) {
		String normal = text.replace(folder.toString(), "${dir}");
		for (Map.Entry<String, String> value : this.values.entrySet()) {
			if (!value.getKey().endsWith("-port")) {
				normal = normal.replace(value.getValue(), "${" + value.getKey() + "}");
			}
		}
		return normal.replaceAll("(127\\.0\\.0\\.1|::1]?|localhost|test):(?!8080)[0-9]{4,5}\\b", "$1:(port)")
			.replaceAll("\\[45 45 .*", "[…")
			.replaceAll("secret-of-[a-zä]+", "(secret)");
	}

	@Override
	public void close() throws IOException {
		for (Closeable closeable : this.open) {
			closeable.close();
		}
	}

}
