package dev.kubeinformer.spi;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Selectors as k8s.io/apimachinery reads them.
 */
class LabelSelectorTests {

	@ParameterizedTest
	@CsvSource(delimiter = ';', value = {
			// everything
			"''; a=b; true", "''; ''; true", "'  '; a=b; true",
			// equality
			"x=a; x=a; true", "x=a; x=b; false", "x=a; y=a; false", "x==a; x=a; true", "x = a; x=a; true",
			"x=; x=; true", "x=; y=; false", "x= ; x=; true", "x=,z= ; x=,z=; true", "x=,z= ; x=; false",
			// inequality is met by a label that is missing
			"x!=a; x=b; true", "x!=a; x=a; false", "x!=a; y=a; true", "x!=; x=; false", "x!=; y=a; true",
			// existence
			"x; x=a; true", "x; x=; true", "x; y=a; false", "!x; y=a; true", "!x; x=; false", "! x; y=a; true",
			"a ; a=b; true", "'\tx'; x=a; true",
			// sets
			"x in (a,b); x=b; true", "x in (a,b); x=c; false", "x in (a,b); y=a; false", "x in(a); x=a; true",
			"x  in  ( a , b ) ; x=b; true", "x in (a,); x=; true", "x in (,a); x=; true", "x in (); x=; true",
			"x in (); x=a; false", "x in (a,,b); x=; true", "x notin (a,b); x=c; true", "x notin (a,b); x=a; false",
			"x notin (a,b); y=a; true", "x notin (); x=; false", "x notin ( ); x=a; true", "x notin (, a); x=a; false",
			// numbers
			"x>1; x=2; true", "x>1; x=1; false", "x>1; x=10; true", "x>1; x=a; false", "x>1; y=2; false",
			"x<5; x=4; true", "x<5; x=5; false", "x<5; y=4; false", "x > 1 , x < 5; x=3; true",
			// words of the language are keys and values too
			"in; in=a; true", "notin in (in,notin); notin=in; true", "in in (in); in=in; true", "x=in; x=in; true",
			"a in (x,y,notin, z,in); a=notin; true", "!in; x=a; true",
			// keys with prefixes
			"example.com/app=web; example.com/app=web; true", "0.1.2.domain/99 notin (10.10.100.1); a=b; true",
			"app.kubernetes.io/name; app.kubernetes.io/name=x; true",
			// all requirements count
			"x=a,y=b,z=c; x=a,y=b,z=c; true", "x=a,y=b,z=c; x=a,y=b; false", "x=a,y!=b; x=a,y=c; true",
			"x=a,x!=a; x=a; false", "x,y in (a),!z; x=1,y=a; true", "x,y in (a),!z; x=1,y=a,z=1; false",
			"a=b,c!=d,e in (x,y),f notin (z),g,!h; a=b,e=y,g=; true",
			"x notin (abc,,def),bar,z in (),w; bar=1,z=,w=1; true" })
	void labelsMatchAsAtTheApiServer(String selector, String labels, boolean match) {
		assertThat(LabelSelector.parse(selector).test(labels(labels))).isEqualTo(match);
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', quoteCharacter = '"',
			value = { "x=a||y=b; 3; 'a||y'", "x==a==b; 5; '=='", "!x=a; 3; '='", "x<a; 3; 'a'", "x>; 3; the end",
					"x>1.5; 3; '1.5'", "x>99999999999999999999; 3; '99999999999999999999'", "x,,y; 3; ','",
					",x,y; 1; ','", "x nott in (y); 3; 'nott'", "a in (xyz),; 12; the end", "a in (xyz)b; 11; 'b'",
					"a in (xyz abc); 11; 'abc'", "a notin(; 9; the end", "a (; 3; '('", "(; 1; '('", "a in x; 6; 'x'",
					"a in; 5; the end", "a in (x; 8; the end", "a in ((x)); 7; '('", "!; 2; the end", "!!a; 2; '!'",
					"=a; 1; '='", "a=b c; 5; 'c'", "a===b; 4; '='", "a=>b; 3; '>'", "a IN (b); 3; 'IN'",
					"-a=b; 1; '-a'", "a.=b; 1; 'a.'", "/a; 1; '/a'", "a/; 1; 'a/'", "a/b/c; 1; 'a/b/c'",
					"Up.com/a; 1; 'Up.com/a'", "a=-b; 3; '-b'", "a=b/c; 3; 'b/c'", "a=b.; 3; 'b.'",
					"a in (b,-c); 9; '-c'", "a=é; 3; 'é'" })
	void textThatIsNoSelectorIsRefusedWhereItEnds(String selector, int position, String found) {
		assertThatIllegalArgumentException().isThrownBy(() -> LabelSelector.parse(selector))
			.withMessageContaining("'" + selector + "'")
			.withMessageContaining(" at position " + position + ":")
			.withMessageEndingWith("found " + found);
	}

	@Test
	void keysAndValuesHaveALongestLength() {
		String longest = "a".repeat(63);
		String prefix = "b".repeat(253);
		LabelSelector selector = LabelSelector.parse(prefix + "/" + longest + "=" + longest);
		assertThat(selector.test(Map.of(prefix + "/" + longest, longest))).isTrue();
		for (String wrong : new String[] { longest + "a", "b" + prefix + "/a", "a=" + longest + "a" }) {
			assertThatIllegalArgumentException().isThrownBy(() -> LabelSelector.parse(wrong));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "!x", "x!=a", "x notin (a)" })
	void noLabelsAtAllMatchWhatNeedsNone(String selector) {
		assertThat(LabelSelector.parse(selector).test(null)).isTrue();
		assertThat(LabelSelector.parse(selector).test(Map.of())).isTrue();
	}

	@Test
	void labelWithoutAValueHasTheEmptyValue() {
		Map<String, String> labels = new HashMap<>();
		labels.put("x", null);
		assertThat(LabelSelector.parse("x=").test(labels)).isTrue();
		assertThat(LabelSelector.parse("x").test(labels)).isTrue();
		assertThat(LabelSelector.parse("!x").test(labels)).isFalse();
	}

	@Test
	void selectorIsPrintedAsItWasWritten() {
		assertThat(LabelSelector.parse("a = b, !c")).hasToString("a = b, !c");
	}

	private static Map<String, String> labels(String text) {
		Map<String, String> labels = new LinkedHashMap<>();
		if (text != null && !text.isEmpty()) {
			for (String label : text.split(",")) {
				int equals = label.indexOf('=');
				labels.put(label.substring(0, equals), label.substring(equals + 1));
			}
		}
		return labels;
	}

}
