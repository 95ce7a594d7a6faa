package dev.kubeinformer.internal.client.kubeconfig;

import okhttp3.HttpUrl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.internal.client.ClusterAccess;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Servers as kubectl 1.36 connects to them, by what its requests were.
 */
class ServerAddressTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', ignoreLeadingAndTrailingWhitespace = true, textBlock = """
			https://host:6443          | https://host:6443
			https://host:6443/         | https://host:6443
			https://host:6443//        | https://host:6443
			https://host//             | https://host
			https://host:6443/a        | https://host:6443/a
			https://host:6443/a/       | https://host:6443/a
			https://host:6443/a//b/    | https://host:6443/a/b
			https://host:6443//a       | https://host:6443/a
			https://host:6443/a/../b   | https://host:6443/b
			https://host:6443/../b     | https://host:6443/b
			https://host:6443/a/./b    | https://host:6443/a/b
			https://host:6443/a%20b    | https://host:6443/a%20b
			https://host:6443/a%2Fb    | https://host:6443/a/b
			https://host:6443/a b      | https://host:6443/a%20b
			https://host:6443/ä        | https://host:6443/%C3%A4
			https://host:6443?x=y      | https://host:6443
			https://host:6443/?x=y     | https://host:6443
			https://host:6443/a?x=y    | https://host:6443/a
			https://host:6443#f        | https://host:6443
			https://host:6443/a#f      | https://host:6443/a%23f
			HTTPS://host:6443          | https://host:6443
			https://HOST:6443          | https://HOST:6443
			https://host:              | https://host
			https://host:06443         | https://host:6443
			http://:6443               | http://localhost:6443
			https://[::1]:6443         | https://[::1]:6443
			https://my_host            | https://my_host
			https://münchen.example    | https://münchen.example
			http://host/p/             | http://host/p
			HTTP://host                | http://host
			host:6443                  | http://host:6443
			host:6443/                 | http://host:6443
			127.0.0.1                  | http://127.0.0.1
			https://-                  | https://-
			https://127.1:6443         | https://127.1:6443
			https://1.2.3.4.5          | https://1.2.3.4.5
			https://host.              | https://host.
			localhost                  | http://localhost
			""")
	void serverShouldBeReadAsClientGoDoes(String server, String url) {
		ServerAddress address = ServerAddress.parse(server);
		assertThat(address.url()).isEqualTo(url);
		assertThat(address.user()).isNull();
		assertThat(HttpUrl.parse(url)).as("the client must take it, too").isNotNull();
		assertThat(address.isEncrypted()).isEqualTo(url.startsWith("https"));
	}

	@ParameterizedTest
	@ValueSource(strings = { " https://s3cret", "https://s3cret ", "https://s3cret\n", "\thttps://s3cret",
			"https:// s3cret", "https://s3cret: 6443", "https:s3cret:6443", "https:/s3cret:6443",
			"https:///s3cret:6443", "https://", "https:///", "//s3cret:6443", "s3cret:6443/a", "/s3cret",
			"ftp://s3cret", "unix:///s3cret", "ws://s3cret", "https://s3cret:99999", "https://s3cret:99999999999",
			"https://s3cret:abc", "https://s3cret:0", "https://s3cret:+1", "https://::1:6443", "https://[::1",
			"https://[::1::2]", "https://[s3cret]", "https://s3cret^b", "https://s3cret\\x", "https://s3cret..x",
			"https://.s3cret", "https://%6cocalhost", "https://host/s3cret%zz", "https://host/s3cret%", "https://:6443",
			"https://me:s3cret x@host", "https://host/s3cret\u0001" })
	void serverThatClientGoCannotUseShouldBeRefusedWithoutQuotingIt(String server) {
		assertThatIllegalArgumentException().isThrownBy(() -> ServerAddress.parse(server))
			.withMessageMatching("(is|has) .+")
			.withMessageNotContaining("s3cret")
			.withNoCause();
	}

	@ParameterizedTest
	@CsvSource({ "https://me:p%40ss@host/a, me, p@ss", "https://me@host/a, me, ''", "https://me:a@b@host/a, me, a@b",
			"http://me:a:b@host/a, me, a:b" })
	void userOfTheUrlShouldAuthenticate(String server, String name, String password) {
		ServerAddress address = ServerAddress.parse(server);
		assertThat(address.url()).endsWith("://host/a");
		assertThat(address.user()).isEqualTo(new ClusterAccess.Basic(name, password));
	}

	@Test
	void textFormShouldNotShowThePassword() {
		assertThat(ServerAddress.parse("https://me:s3cret@host")).asString().doesNotContain("s3cret");
	}

}
