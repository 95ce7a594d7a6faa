/**
 * Kubeconfigs as client-go reads them ({@code tools/clientcmd}).
 */
@NullMarked
package dev.kubeinformer.internal.client.kubeconfig;

import org.jspecify.annotations.NullMarked;
