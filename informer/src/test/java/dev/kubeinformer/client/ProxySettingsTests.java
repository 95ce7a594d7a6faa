package dev.kubeinformer.client;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.UnaryOperator;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of {@link ProxySettings}: which proxy a configuration, the JVM and the
 * environment name.
 */
class ProxySettingsTests {

	private static final String SERVER = "https://api.example.com:6443";

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			http://10.0.0.1:3128                    | http://10.0.0.1:3128
			http://proxy                            | http://proxy:80
			http://proxy/                           | http://proxy:80
			http://proxy:3128/path?query            | http://proxy:3128
			HTTP://PROXY:3128                       | http://proxy:3128
			https://proxy                           | https://proxy:443
			https://me:s3cret@proxy:80              | https://proxy:80
			http://me:s3%3Acr%40et@proxy:3128       | http://proxy:3128
			http://me:s3@cret@proxy:3128            | http://proxy:3128
			http://s3cret@proxy                     | http://proxy:80
			http://:s3cret@proxy                    | http://proxy:80
			socks5://:s3cret@proxy                  | socks5://proxy:1080
			socks5://proxy                          | socks5://proxy:1080
			socks5://proxy/                         | socks5://proxy:1080
			socks5://proxy:80                       | socks5://proxy:80
			socks5://proxy:443                      | socks5://proxy:443
			socks5://[2001:db8::1]                  | socks5://[2001:db8::1]:1080
			socks5h://me:s3cret@[2001:db8::1]:9     | socks5h://[2001:db8::1]:9
			""")
	void urlShouldBeShownWithoutUserAndPassword(String url, String shown) {
		assertThat(ProxySettings.parse(url)).hasToString(shown);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "null", textBlock = """
			proxy:3128               | begins with http://, https:// or socks5://
			ftp://s3cret@proxy       | begins with http://, https:// or socks5://
			socks4://proxy           | begins with http://, https:// or socks5://
			'http'                   | begins with http://, https:// or socks5://
			://proxy                 | begins with http://, https:// or socks5://
			http://                  | with scheme and host
			http://me:s3cret@        | with scheme and host
			http://pro xy            | with scheme and host
			http://proxy:99999       | with scheme and host
			socks5://proxy:99999     | with scheme and host
			""")
	void urlThatCannotBeUsedShouldBeRefusedWithoutQuotingIt(String url, String rule) {
		assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> ProxySettings.parse(url))
			.withMessageStartingWith("must ")
			.withMessageContaining(rule)
			.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain("s3cret"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "none", textBlock = """
			https://api:6443 | HTTPS_PROXY=http://p:1                         | http://p:1 by HTTPS_PROXY
			https://api:6443 | https_proxy=http://p:1                         | http://p:1 by https_proxy
			https://api:6443 | https_proxy=http://p:1 HTTPS_PROXY=http://q:1  | http://q:1 by HTTPS_PROXY
			https://api:6443 | https_proxy=http://p:1 HTTPS_PROXY=            | http://p:1 by https_proxy
			https://api:6443 | HTTPS_PROXY=p:3128                             | http://p:3128 by HTTPS_PROXY
			https://api:6443 | HTTPS_PROXY=me:s3cret@p:3128                   | http://p:3128 by HTTPS_PROXY
			https://api:6443 | HTTPS_PROXY=https://me:s3cret@p:3128           | https://p:3128 by HTTPS_PROXY
			https://api:6443 | HTTPS_PROXY=tcp://me:s3cret@p:3128             | http://p:3128 by HTTPS_PROXY
			https://api:6443 | HTTPS_PROXY=SOCKS5h://p                        | socks5h://p:1080 by HTTPS_PROXY
			https://api:6443 | HTTPS_PROXY=socks5://p                         | socks5://p:1080 by HTTPS_PROXY
			https://api:6443 | HTTP_PROXY=http://p:1                          | none
			https://api:6443 | ALL_PROXY=http://p:1                           | none
			http://api:8080  | HTTP_PROXY=http://p:1                          | http://p:1 by HTTP_PROXY
			http://api:8080  | http_proxy=http://p:1                          | http://p:1 by http_proxy
			http://api:8080  | HTTPS_PROXY=http://p:1                         | none
			https://api:6443 | HTTPS_PROXY=http://p:1 NO_PROXY=api            | none
			https://api:6443 | HTTPS_PROXY=http://p:1 no_proxy=api            | none
			https://api:6443 | HTTPS_PROXY=http://p:1 NO_PROXY=b no_proxy=api | http://p:1 by HTTPS_PROXY
			no url           | HTTPS_PROXY=http://p:1                         | none
			""")
	void environmentShouldNameTheProxyOfAServer(String server, String variables, @Nullable String proxy) {
		ProxySettings found = ProxySettings.forServer(server, environment(variables), jvm(), Level.WARN);
		String shown = (found != null) ? found.toString() : null;
		assertThat(shown)
			.isEqualTo((proxy != null) ? proxy.replaceFirst(" by (.*)", " (environment variable '$1')") : null);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "none", textBlock = """
			localhost:6443           |                              | direct
			127.0.0.1:6443           |                              | direct
			127.8.9.10:6443          |                              | direct
			[::1]:6443               |                              | direct
			localhost.example:6443   |                              | proxied
			api.example.com:6443     | *                            | direct
			10.0.0.1:6443            | a,*,b                        | direct
			api.example.com:6443     | api.example.com              | direct
			API.example.COM:6443     | Api.Example.Com              | direct
			api.example.com:6443     | example.com                  | direct
			api.example.com:6443     | .example.com                 | direct
			api.example.com:6443     | *.example.com                | direct
			example.com:6443         | example.com                  | direct
			example.com:6443         | .example.com                 | proxied
			example.com:6443         | *.example.com                | proxied
			notexample.com:6443      | example.com                  | proxied
			api.example.com:6443     | example.com:6443             | direct
			api.example.com:6443     | example.com:443              | proxied
			api.example.com          | example.com:443              | direct
			api.example.com:6443     | .example.com:6443            | direct
			api.example.com:6443     | *.example.com:6443           | direct
			api.example.com:6443     | ' b , example.com '          | direct
			api.example.com:6443     | b;example.com                | proxied
			api.example.com:6443     | https://api.example.com      | proxied
			api.example.com:6443     | ,,:6443,/8                   | proxied
			api.bücher.example:6443  | bücher.example               | direct
			10.1.2.3:6443            | 10.1.2.3                     | direct
			10.1.2.3:6443            | 10.1.2.3:6443                | direct
			10.1.2.3:6443            | 10.1.2.3:443                 | proxied
			10.1.2.3:6443            | 10.1.2.4                     | proxied
			10.1.2.3:6443            | 10.0.0.0/8                   | direct
			10.1.2.3:6443            | 10.1.2.0/24                  | direct
			10.1.2.3:6443            | 10.1.3.0/24                  | proxied
			10.1.2.3:6443            | 10.1.2.2/31                  | direct
			10.1.2.3:6443            | 10.1.2.4/31                  | proxied
			10.1.2.3:6443            | 0.0.0.0/0                    | direct
			10.1.2.3:6443            | ::/0                         | proxied
			10.1.2.3:6443            | 10.0.0.0/33                  | proxied
			10.1.2.3:6443            | 10.0.0.0/x                   | proxied
			10.1.2.3:6443            | 10.1.2                       | proxied
			10.1.2.3:6443            | 2.3                          | direct
			10.1.2.3:6443            | ::ffff:10.1.2.3              | direct
			[2001:db8::1]:6443       | 2001:db8::1                  | direct
			[2001:db8::1]:6443       | 2001:0db8:0::1               | direct
			[2001:db8::1]:6443       | [2001:db8::1]:6443           | direct
			[2001:db8::1]:6443       | [2001:db8::1]:443            | proxied
			[2001:db8::1]:6443       | 2001:db8::/32                | direct
			[2001:db8::1]:6443       | 2001:db9::/32                | proxied
			[2001:db8::1]:6443       | 0.0.0.0/0                    | proxied
			""")
	void noProxyShouldFollowTheRulesOfGo(String server, @Nullable String noProxy, String way) {
		ProxySettings found = ProxySettings.forServer("https://" + server, (name) -> switch (name) {
			case "HTTPS_PROXY" -> "http://proxy:3128";
			case "NO_PROXY" -> noProxy;
			default -> null;
		}, jvm(), Level.WARN);
		assertThat((found != null) ? "proxied" : "direct").isEqualTo(way);
	}

	@ParameterizedTest
	@ValueSource(strings = { "http://", "p:s3cret:1", "s3cret x", ":::s3cret" })
	void variableThatCannotBeUsedShouldBeIgnoredWithAWarning(String value) {
		Logger logger = (Logger) LoggerFactory.getLogger(ProxySettings.class);
		ListAppender<ILoggingEvent> log = new ListAppender<>();
		log.start();
		logger.addAppender(log);
		try {
			assertThat(ProxySettings.forServer(SERVER, (name) -> name.equals("https_proxy") ? value : null, jvm(),
					Level.WARN))
				.isNull();
			assertThat(log.list).singleElement()
				.extracting(ILoggingEvent::getFormattedMessage, InstanceOfAssertFactories.STRING)
				.contains("Ignored the environment variable 'https_proxy'", "must be a URL ")
				.doesNotContain("s3cret");
		}
		finally {
			logger.detachAppender(log);
		}
	}

	@Test
	void variableThatCannotBeUsedShouldBeNamedByTheClientAndNotByItsDescription() {
		Logger logger = (Logger) LoggerFactory.getLogger(ProxySettings.class);
		ListAppender<ILoggingEvent> log = new ListAppender<>();
		log.start();
		logger.addAppender(log);
		try {
			ManagedApiClient.Builder builder = Clients.of("https://10.96.0.1",
					ClientEnvironment.of((name) -> name.equals("HTTPS_PROXY") ? "http://" : null));
			builder.describe();
			builder.describe();
			builder.build().close();
			assertThat(log.list)
				.filteredOn((event) -> event.getLevel().isGreaterOrEqual(ch.qos.logback.classic.Level.INFO))
				.hasSize(1);
		}
		finally {
			logger.detachAppender(log);
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			https.proxyHost=p                              | jvm
			socksProxyHost=p                               | jvm
			java.net.useSystemProxies=true                 | jvm
			https.proxyHost=p http.nonProxyHosts=*         | jvm
			java.net.useSystemProxies=false                | environment
			https.proxyHost=                               | environment
			http.proxyHost=p                               | environment
			http.nonProxyHosts=*                           | environment
			""")
	void systemPropertiesShouldDecideBeforeTheEnvironment(String properties, String who) {
		JvmProxies jvm = new JvmProxies(ProxySelector.getDefault(), environment(properties));
		ProxySettings found = ProxySettings.forServer(SERVER, environment("HTTPS_PROXY=http://p:1"), jvm, Level.WARN);
		assertThat((found != null) ? "environment" : "jvm").isEqualTo(who);
	}

	@Test
	void selectorOfTheApplicationShouldDecideBeforeTheEnvironment() {
		UnaryOperator<@Nullable String> none = (name) -> null;
		for (JvmProxies jvm : List.of(new JvmProxies(null, none), new JvmProxies(new NoProxies(), none),
				new JvmProxies(ProxySelector.of(null), none),
				new JvmProxies(ProxySelector.of(InetSocketAddress.createUnresolved("p", 1)), none))) {
			assertThat(ProxySettings.forServer(SERVER, environment("HTTPS_PROXY=http://p:1"), jvm, Level.WARN))
				.isNull();
		}
	}

	@Test
	void environmentOfThisProcessShouldBeGiven() {
		assertThat(ProxySettings.forServer(SERVER, environment("HTTPS_PROXY=http://p:1"), Level.WARN)).isNotNull();
	}

	private static JvmProxies jvm() {
		return new JvmProxies(ProxySelector.getDefault(), new Properties()::getProperty);
	}

	private static UnaryOperator<@Nullable String> environment(String variables) {
		Map<String, String> values = new HashMap<>();
		for (String variable : variables.split(" ")) {
			int equals = variable.indexOf('=');
			values.put(variable.substring(0, equals), variable.substring(equals + 1));
		}
		return values::get;
	}

	private static final class NoProxies extends ProxySelector {

		@Override
		public List<Proxy> select(URI uri) {
			return List.of(Proxy.NO_PROXY);
		}

		@Override
		public void connectFailed(URI uri, SocketAddress address, IOException ex) {
			throw new IllegalStateException(ex);
		}

	}

}
