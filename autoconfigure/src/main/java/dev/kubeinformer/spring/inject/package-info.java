/**
 * Injection of listers and informers by their generic type.
 */
@NullMarked
package dev.kubeinformer.spring.inject;

import org.jspecify.annotations.NullMarked;
