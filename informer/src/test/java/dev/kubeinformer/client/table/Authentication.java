package dev.kubeinformer.client.table;

import java.io.IOException;
import java.net.Socket;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

import org.jspecify.annotations.Nullable;

/**
 * Authentication of kube-apiserver: a client certificate, else a bearer token, else
 * nobody; and impersonation. It has no passwords since 1.19.
 */
final class Authentication {

	private static final String TOKEN = "secret-of-";

	private final X509TrustManager clients;

	Authentication(X509Certificate authority) throws GeneralSecurityException {
		KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
		try {
			store.load(null, null);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		store.setCertificateEntry("clients", authority);
		TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
		factory.init(store);
		this.clients = (X509TrustManager) factory.getTrustManagers()[0];
	}

	/**
	 * Returns who asks.
	 * @param head the request
	 * @param socket its connection
	 * @return who asks, with status 401 if a credential is wrong
	 */
	Result of(HttpHead head, Socket socket) {
		Result result = authenticated(head, socket);
		if (result.status() != 200) {
			return result;
		}
		String user = head.first("Impersonate-User");
		List<String> groups = head.all("Impersonate-Group");
		String uid = head.first("Impersonate-Uid");
		Map<String, List<String>> extra = extra(head);
		if (user == null) {
			return (groups.isEmpty() && uid == null && extra.isEmpty()) ? result : result.withStatus(500);
		}
		return new Result(200, user, Stream.concat(groups.stream(), Stream.of("system:authenticated")).toList(), uid,
				extra);
	}

	private Result authenticated(HttpHead head, Socket socket) {
		Result unknown = new Result(401, "", List.of(), null, Map.of());
		X509Certificate[] chain = chain(socket);
		boolean wrong = false;
		if (chain != null) {
			try {
				this.clients.checkClientTrusted(chain, "UNKNOWN");
				return user(value(chain[0], "CN"), value(chain[0], "OU"));
			}
			catch (CertificateException ex) {
				// The next authenticator may know the client; it is refused if none does.
				wrong = true;
			}
		}
		String authorization = head.first("Authorization");
		if (authorization == null) {
			return wrong ? unknown
					: new Result(200, "system:anonymous", List.of("system:unauthenticated"), null, Map.of());
		}
		String[] words = authorization.split(" ");
		return switch ((words.length == 2 && words[0].equalsIgnoreCase("Bearer")) ? words[1] : "") {
			case TOKEN + "alice" -> user("alice", "dev");
			case TOKEN + "bob" -> user("bob", "dev,ops");
			case TOKEN + "dave" -> user("dave", "");
			case "12345" -> user("number", "");
			case "true" -> user("bool", "");
			default -> unknown;
		};
	}

	private static Result user(String name, String groups) {
		return new Result(200, name,
				Stream
					.concat(Arrays.stream(groups.split(",")).filter((group) -> !group.isEmpty()),
							Stream.of("system:authenticated"))
					.toList(),
				null, Map.of());
	}

	private static X509Certificate @Nullable [] chain(Socket socket) {
		if (!(socket instanceof SSLSocket secured)) {
			return null;
		}
		try {
			return (X509Certificate[]) secured.getSession().getPeerCertificates();
		}
		catch (SSLPeerUnverifiedException ex) {
			return null;
		}
	}

	private static String value(X509Certificate certificate, String type) {
		try {
			return new LdapName(certificate.getSubjectX500Principal().getName()).getRdns()
				.stream()
				.filter((part) -> part.getType().equals(type))
				.map(Rdn::getValue)
				.map(String::valueOf)
				.findFirst()
				.orElse("");
		}
		catch (InvalidNameException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static Map<String, List<String>> extra(HttpHead head) {
		String start = "impersonate-extra-";
		Map<String, List<String>> extra = new TreeMap<>();
		for (String line : head.lines()) {
			String name = line.substring(0, line.indexOf(':'));
			if (name.toLowerCase(Locale.ROOT).startsWith(start)) {
				String key = URLDecoder.decode(name.substring(start.length()).toLowerCase(Locale.ROOT),
						StandardCharsets.UTF_8);
				extra.put(key, head.all(name));
			}
		}
		return extra;
	}

	/**
	 * Who asks.
	 *
	 * @param status 200, or the status of the refusal
	 * @param name the name
	 * @param groups the groups
	 * @param uid the UID; {@code null} for none
	 * @param extra other attributes
	 */
	record Result(int status, String name, List<String> groups, @Nullable String uid, Map<String, List<String>> extra) {

		boolean isAnonymous() {
			return this.name.equals("system:anonymous");
		}

		Result withStatus(int status) {
			return new Result(status, this.name, this.groups, this.uid, this.extra);
		}

		String json() {
			String attributes = this.extra.entrySet()
				.stream()
				.map((entry) -> quoted(entry.getKey()) + ":" + list(entry.getValue()))
				.collect(Collectors.joining(",", "{", "}"));
			return "{\"username\":%s,\"uid\":%s,\"groups\":%s,\"extra\":%s}".formatted(quoted(this.name),
					quoted((this.uid != null) ? this.uid : ""), list(this.groups), attributes);
		}

		private static String list(List<String> texts) {
			return texts.stream().map(Result::quoted).collect(Collectors.joining(",", "[", "]"));
		}

		private static String quoted(String text) {
			return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
		}

		@Override
		public String toString() {
			return "%s of %s%s%s".formatted(this.name, this.groups, (this.uid != null) ? ", uid " + this.uid : "",
					this.extra.isEmpty() ? "" : ", extra " + this.extra);
		}

	}

}
